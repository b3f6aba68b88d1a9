//! Law: what the front end accepts is well formed by the laws of the intermediate representation.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = dagaz_fuzz::text(data);
});
