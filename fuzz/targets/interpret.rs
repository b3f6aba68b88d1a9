//! Law: rules that were accepted can be played; whatever they do, the generic battery holds and the limits stop it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = dagaz_fuzz::text(data);
});
