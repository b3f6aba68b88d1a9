//! Uniform random numbers.

use super::mail;
use crate::low::{Binary, Body, Ex, Fun, Module, Ty, V, Width, c64};

/// The words of the generator, from memory.
pub(super) fn take(body: &mut Body) -> Vec<V> {
    (0..4).map(|index| body.bind(Ex::from(0).load(Width::I64, mail::RANDOM + index * 8))).collect()
}

/// They go back there.
pub(super) fn leave(body: &mut Body, words: &[V]) {
    for (index, &word) in words.iter().enumerate() {
        body.store(Width::I64, 0, mail::RANDOM + index as u32 * 8, word);
    }
}

/// A uniform number below a bound that is not 0, by Lemire's multiplication (<https://arxiv.org/abs/1805.10941>) of the upper half
/// of what Xoshiro256++ gives (<https://prng.di.unimi.it>).
pub(super) fn draw(body: &mut Body, s: &[V], bound: V) -> V {
    let number = body.local(Ty::I32);
    let wide = body.bind(bound.extend());
    body.repeat(|body, out| {
        let drawn = body.bind((s[0] + s[3]).rotl(c64(23)) + s[0]);
        let t = body.bind(Ex::from(s[1]) << c64(17));
        body.set(s[2], s[2] ^ s[0]);
        body.set(s[3], s[3] ^ s[1]);
        body.set(s[1], s[1] ^ s[2]);
        body.set(s[0], s[0] ^ s[3]);
        body.set(s[2], s[2] ^ t);
        body.set(s[3], Ex::from(s[3]).rotl(c64(45)));
        let product = body.bind(drawn.shr_u(c64(32)) * wide);
        body.set(number, product.shr_u(c64(32)).wrap());
        let low = body.bind(product.wrap());
        body.when(low.ge_u(bound), |body| body.go(out));
        // Numbers below the remainder of 2^32 would be drawn once too often.
        let threshold = Ex::binary(Binary::RemU, Ex::from(0) - bound, bound);
        body.when(low.ge_u(threshold), |body| body.go(out));
    });
    number
}

/// The same as a function, for code that keeps the words in memory.
pub(super) fn below(module: &mut Module) -> Fun {
    module.function("below", &[Ty::I32], Some(Ty::I32), |body, params| {
        let words = take(body);
        let number = draw(body, &words, params[0]);
        leave(body, &words);
        body.give(number);
    })
}
