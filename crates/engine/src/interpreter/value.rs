//! The values of expressions.

use dagaz_board::{Site, SiteSet};
use dagaz_ir::Type;

/// A value. That each operation gets values of the types it takes is the IR verifier's promise; a broken promise panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// A site; nothing is nowhere.
    Site(Option<Site>),
    /// A set of sites.
    Set(SiteSet),
}

impl Value {
    /// What a local of this type starts as, on a board with `sites` sites.
    pub(super) fn zero(ty: Type, sites: usize) -> Self {
        match ty {
            Type::Int => Self::Int(0),
            Type::Bool => Self::Bool(false),
            Type::Site => Self::Site(None),
            Type::Set => Self::Set(SiteSet::empty(sites)),
            Type::Effect => panic!("the verifier refuses locals that hold effects"),
        }
    }

    pub(super) fn int(&self) -> i32 {
        match *self {
            Self::Int(value) => value,
            ref other => panic!("the verifier types expressions: a number, not {other:?}"),
        }
    }

    pub(super) fn bool(&self) -> bool {
        match *self {
            Self::Bool(value) => value,
            ref other => panic!("the verifier types expressions: a truth value, not {other:?}"),
        }
    }

    pub(super) fn site(&self) -> Option<Site> {
        match *self {
            Self::Site(value) => value,
            ref other => panic!("the verifier types expressions: a site, not {other:?}"),
        }
    }

    pub(super) fn set(&self) -> &SiteSet {
        match self {
            Self::Set(value) => value,
            other => panic!("the verifier types expressions: a set, not {other:?}"),
        }
    }
}
