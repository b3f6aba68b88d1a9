//! Random choices, in code that stands where they are made.

use super::words::{Scene, Set};
use super::{Compiler, Play};
use crate::compile::ends::OPEN;
use crate::compile::mail;
use crate::low::{Binary, Body, Ex, Ty, V, Width, c64, select};

/// A set of at most so many sites is gone through one by one.
const FEW: u32 = 10;

impl Play {
    pub(super) fn take_random(&self, body: &mut Body) {
        for (index, &word) in self.random.iter().enumerate() {
            body.set(word, Ex::from(0).load(Width::I64, mail::RANDOM + index as u32 * 8));
        }
    }

    pub(super) fn leave_random(&self, body: &mut Body) {
        for (index, &word) in self.random.iter().enumerate() {
            body.store(Width::I64, 0, mail::RANDOM + index as u32 * 8, word);
        }
    }

    /// A game that has as many moves as it may have is left as it is.
    pub(super) fn stop_at_limit(&self, body: &mut Body) {
        body.when(self.made.ge_s(self.limit), |body| {
            body.set(self.code, OPEN);
            body.go(self.over);
        });
    }

    /// A uniform number below a bound that is not 0: see the function of this name in `drive`.
    pub(super) fn below(&self, body: &mut Body, bound: V) -> V {
        let number = body.local(Ty::I32);
        let wide = body.bind(bound.extend());
        let s = &self.random;
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
}

impl Compiler<'_> {
    /// The member of this number in a set, as a set of its own.
    pub(super) fn nth_site(&self, scene: &mut Scene<'_, '_>, set: &Set, number: V) -> Set {
        let body = &mut *scene.body;
        let word = body.bind(set.words[0].clone());
        let left = body.bind(number);
        let place = body.bind(0);
        for (index, next) in set.words.iter().enumerate().skip(1) {
            // Words before this one have been passed, or the number lies in one of them and stays there.
            let here = body.bind(Ex::from(word).popcnt().wrap());
            let further = body.bind(left.ge_s(here) & place.eq(index as i32 - 1));
            body.set(left, left - select(further, here, 0));
            body.set(word, select(further, next.clone(), word));
            body.set(place, Ex::from(place) + further);
        }
        let most: u32 = set.within.iter().map(|word| word.count_ones()).max().unwrap_or(0);
        let bit = body.local(Ty::I64);
        if most <= FEW {
            one_by_one(body, (word, left), most, bit);
        } else {
            // There are often few where there can be many.
            body.either(
                Ex::from(word).popcnt().wrap().le_s(FEW as i32 - 2),
                |body| one_by_one(body, (word, left), FEW - 2, bit),
                |body| {
                    let place = self.member(body, word, left).extend();
                    body.set(bit, c64(1) << place);
                },
            );
        }
        let words = match set.words.len() {
            1 => vec![bit.into()],
            count => (0..count).map(|index| select(place.eq(index as i32), bit, c64(0))).collect(),
        };
        scene.held(words, set.within.clone())
    }
}

/// The member of a number in a word of so many at most: those before it are taken away, whether there are any or not.
fn one_by_one(body: &mut Body, (word, number): (V, V), most: u32, bit: V) {
    for passed in 0..most.saturating_sub(1) {
        body.set(word, select(number.gt_s(passed), word & (word - c64(1)), word));
    }
    body.set(bit, word & (c64(0) - word));
}
