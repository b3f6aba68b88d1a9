//! Random choices, in code that stands where they are made.

use super::words::{Scene, Set};
use super::{Compiler, Play};
use crate::compile::ends::OPEN;
use crate::low::{Body, Ex, Ty, V, c64, select};

/// A set of at most so many sites is gone through one by one.
const FEW: u32 = 10;

impl Play {
    /// A game that has as many moves as it may have is left as it is.
    pub(super) fn stop_at_limit(&self, body: &mut Body) {
        body.when(self.made.ge_s(self.limit), |body| {
            body.set(self.code, OPEN);
            body.go(self.over);
        });
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
