//! Time that this program spent computing. Others on the same machine do not slow it down, as they do the time on the wall.

use std::time::Duration;

/// Processor time of this process up to now, in user and system mode.
#[cfg(unix)]
pub fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).expect("nanoseconds are below 10^9"))
}

/// Where processor time is not known, time on the wall stands for it.
#[cfg(not(unix))]
pub fn cpu() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
