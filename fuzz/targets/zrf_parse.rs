//! Law: whatever the bytes, the front end of ZRF answers, with a tree or without, and every diagnostic can be shown.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = data;
});
