//! Expressions, and the operators that build them. Constants are folded where they meet.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Sub};

use super::{Fun, Global, Stmt, Ty, V};

/// How much of memory a load or store concerns, and of which type the value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// A byte, unsigned, as an `i32`.
    U8,
    /// Two bytes, unsigned, as an `i32`.
    U16,
    I32,
    I64,
}

/// An operation of two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    DivS,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    Rotl,
    Eq,
    Ne,
    LtS,
    LtU,
    LeS,
    GtS,
    GeS,
    GeU,
}

impl Binary {
    fn compares(self) -> bool {
        use Binary::{Eq, GeS, GeU, GtS, LeS, LtS, LtU, Ne};
        matches!(self, Eq | Ne | LtS | LtU | LeS | GtS | GeS | GeU)
    }
}

/// An operation of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    /// Whether it is 0.
    Eqz,
    /// Trailing zeros.
    Ctz,
    /// Leading zeros.
    Clz,
    Popcnt,
    /// The low half of an `i64`.
    Wrap,
    /// An `i32`, unsigned, as an `i64`.
    Extend,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Ex {
    C32(i32),
    C64(i64),
    Local(V),
    Global(Global),
    Load(Width, Box<Ex>, u32),
    Binary(Binary, Box<(Ex, Ex)>),
    Unary(Unary, Box<Ex>),
    /// The second when the first is true, else the third; the other is not computed.
    Pick(Box<(Ex, Ex, Ex)>),
    /// The same, both being computed.
    Select(Box<(Ex, Ex, Ex)>),
    Call(Fun, Vec<Ex>, Ty),
    /// The value after the statements.
    After(Vec<Stmt>, Box<Ex>),
}

/// A 64-bit constant.
pub(crate) fn c64(value: u64) -> Ex {
    Ex::C64(value as i64)
}

/// The first value when the condition is true, else the second, which alone is computed then.
pub(crate) fn pick(condition: impl Into<Ex>, yes: impl Into<Ex>, no: impl Into<Ex>) -> Ex {
    match condition.into() {
        Ex::C32(0) => no.into(),
        Ex::C32(_) => yes.into(),
        condition => Ex::Pick(Box::new((condition, yes.into(), no.into()))),
    }
}

/// The same for values that cost nothing.
pub(crate) fn select(condition: impl Into<Ex>, yes: impl Into<Ex>, no: impl Into<Ex>) -> Ex {
    match condition.into() {
        Ex::C32(0) => no.into(),
        Ex::C32(_) => yes.into(),
        condition => Ex::Select(Box::new((condition, yes.into(), no.into()))),
    }
}

impl From<V> for Ex {
    fn from(local: V) -> Self {
        Self::Local(local)
    }
}

impl From<Global> for Ex {
    fn from(global: Global) -> Self {
        Self::Global(global)
    }
}

impl From<i32> for Ex {
    fn from(value: i32) -> Self {
        Self::C32(value)
    }
}

impl From<u32> for Ex {
    fn from(value: u32) -> Self {
        Self::C32(value as i32)
    }
}

impl Ex {
    pub(crate) fn ty(&self) -> Ty {
        match self {
            Self::C32(_) => Ty::I32,
            Self::C64(_) => Ty::I64,
            Self::Local(local) => local.1,
            Self::Global(global) => global.1,
            Self::Load(width, ..) => {
                if *width == Width::I64 {
                    Ty::I64
                } else {
                    Ty::I32
                }
            }
            Self::Binary(op, operands) => {
                if op.compares() {
                    Ty::I32
                } else {
                    operands.0.ty()
                }
            }
            Self::Unary(op, operand) => match op {
                Unary::Eqz | Unary::Wrap => Ty::I32,
                Unary::Extend => Ty::I64,
                Unary::Ctz | Unary::Clz | Unary::Popcnt => operand.ty(),
            },
            Self::Pick(parts) | Self::Select(parts) => parts.1.ty(),
            Self::Call(_, _, ty) => *ty,
            Self::After(_, value) => value.ty(),
        }
    }

    /// Two operands combined; constants are folded.
    pub(crate) fn binary(op: Binary, left: impl Into<Ex>, right: impl Into<Ex>) -> Self {
        let (left, right) = (left.into(), right.into());
        debug_assert_eq!(left.ty(), right.ty(), "{op:?} of {left:?} and {right:?}");
        match (op, &left, &right) {
            (Binary::Add, Self::C32(a), Self::C32(b)) => Self::C32(a.wrapping_add(*b)),
            (Binary::Mul, Self::C32(a), Self::C32(b)) => Self::C32(a.wrapping_mul(*b)),
            (Binary::And, Self::C32(a), Self::C32(b)) => Self::C32(a & b),
            (Binary::Or, Self::C32(a), Self::C32(b)) => Self::C32(a | b),
            (Binary::Eq, Self::C32(a), Self::C32(b)) => Self::C32((a == b).into()),
            (Binary::Ne, Self::C32(a), Self::C32(b)) => Self::C32((a != b).into()),
            (Binary::LeS, Self::C32(a), Self::C32(b)) => Self::C32((a <= b).into()),
            (Binary::LtS, Self::C32(a), Self::C32(b)) => Self::C32((a < b).into()),
            (Binary::And, of, Self::C32(1)) if of.is_truth() => left,
            (Binary::And, Self::C64(0), _) | (Binary::And, _, Self::C64(0)) => Self::C64(0),
            (Binary::Shl | Binary::ShrU, Self::C64(0), _) => Self::C64(0),
            (Binary::And, Self::C64(-1), _) | (Binary::Or | Binary::Xor, Self::C64(0), _) => right,
            (Binary::And, _, Self::C64(-1)) | (Binary::Or | Binary::Xor, _, Self::C64(0)) => left,
            (Binary::Add | Binary::Sub, _, Self::C32(0)) | (Binary::Mul, _, Self::C32(1)) => left,
            (Binary::Add, Self::C32(0), _) | (Binary::Mul, Self::C32(1), _) => right,
            // (x + a) + b = x + (a + b)
            (Binary::Add, Self::Binary(Binary::Add, inner), Self::C32(b)) if matches!(inner.1, Self::C32(_)) => {
                let Self::C32(a) = inner.1 else { unreachable!("matched above") };
                Self::binary(Binary::Add, inner.0.clone(), Self::C32(a.wrapping_add(*b)))
            }
            _ => Self::Binary(op, Box::new((left, right))),
        }
    }

    fn unary(self, op: Unary) -> Self {
        match (op, &self) {
            (Unary::Eqz, Self::C32(value)) => Self::C32((*value == 0).into()),
            (Unary::Eqz, Self::Unary(Unary::Eqz, inner)) if inner.is_truth() => (**inner).clone(),
            _ => Self::Unary(op, Box::new(self)),
        }
    }

    /// Whether it is always 0 or 1.
    fn is_truth(&self) -> bool {
        match self {
            Self::C32(value) => matches!(value, 0 | 1),
            Self::Binary(op, _) => op.compares(),
            Self::Unary(op, _) => *op == Unary::Eqz,
            _ => false,
        }
    }

    /// What stands in memory at this address plus `offset`.
    pub(crate) fn load(self, width: Width, offset: u32) -> Self {
        match self {
            // (x + c) at o = x at (c + o), as long as the sum stays an address.
            Self::Binary(Binary::Add, operands) => match *operands {
                (base, Self::C32(more)) if more >= 0 => Self::Load(width, Box::new(base), offset + more as u32),
                (base, more) => Self::Load(width, Box::new(Self::Binary(Binary::Add, Box::new((base, more)))), offset),
            },
            Self::C32(address) if address >= 0 => Self::Load(width, Box::new(Self::C32(0)), offset + address as u32),
            other => Self::Load(width, Box::new(other), offset),
        }
    }

    pub(crate) fn eqz(self) -> Self {
        if self.ty() == Ty::I64 { Self::Unary(Unary::Eqz, Box::new(self)) } else { self.unary(Unary::Eqz) }
    }

    /// 0 or 1: whether it is not 0.
    pub(crate) fn truth(self) -> Self {
        if self.is_truth() { self } else { self.eqz().eqz() }
    }

    pub(crate) fn ctz(self) -> Self {
        self.unary(Unary::Ctz)
    }

    pub(crate) fn clz(self) -> Self {
        self.unary(Unary::Clz)
    }

    pub(crate) fn popcnt(self) -> Self {
        self.unary(Unary::Popcnt)
    }

    pub(crate) fn wrap(self) -> Self {
        self.unary(Unary::Wrap)
    }

    pub(crate) fn extend(self) -> Self {
        self.unary(Unary::Extend)
    }
}

macro_rules! methods {
    ($($of:ty: $($name:ident $op:ident)+;)+) => {
        $(impl $of {
            $(pub(crate) fn $name(self, other: impl Into<Ex>) -> Ex {
                Ex::binary(Binary::$op, self, other)
            })+
        })+
    };
}

methods! {
    Ex: eq Eq ne Ne lt_s LtS lt_u LtU le_s LeS gt_s GtS ge_u GeU shr_u ShrU rotl Rotl;
    V: eq Eq ne Ne lt_s LtS lt_u LtU le_s LeS gt_s GtS ge_s GeS ge_u GeU shr_u ShrU;
}

impl V {
    pub(crate) fn load(self, width: Width, offset: u32) -> Ex {
        Ex::from(self).load(width, offset)
    }
    pub(crate) fn eqz(self) -> Ex {
        Ex::from(self).eqz()
    }
    pub(crate) fn ctz(self) -> Ex {
        Ex::from(self).ctz()
    }
    pub(crate) fn wrap(self) -> Ex {
        Ex::from(self).wrap()
    }
    pub(crate) fn extend(self) -> Ex {
        Ex::from(self).extend()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident)+) => { $(
        impl<R: Into<Ex>> $trait<R> for Ex {
            type Output = Ex;
            fn $method(self, other: R) -> Ex {
                Ex::binary(Binary::$op, self, other)
            }
        }
        impl<R: Into<Ex>> $trait<R> for V {
            type Output = Ex;
            fn $method(self, other: R) -> Ex {
                Ex::binary(Binary::$op, self, other)
            }
        }
        impl<R: Into<Ex>> $trait<R> for Global {
            type Output = Ex;
            fn $method(self, other: R) -> Ex {
                Ex::binary(Binary::$op, self, other)
            }
        }
    )+ };
}

operators! { Add add Add Sub sub Sub Mul mul Mul BitAnd bitand And BitOr bitor Or BitXor bitxor Xor Shl shl Shl }

impl Ex {
    /// Roughly how many instructions it takes; nothing when it is more than arithmetic.
    pub(crate) fn cost(&self) -> Option<u32> {
        Some(match self {
            Self::C32(_) | Self::C64(_) | Self::Local(_) | Self::Global(_) => 0,
            Self::Load(_, address, _) => 1 + address.cost()?,
            Self::Binary(Binary::DivS | Binary::RemS | Binary::RemU, _) => return None,
            Self::Binary(_, operands) => 1 + operands.0.cost()? + operands.1.cost()?,
            Self::Unary(_, operand) => 1 + operand.cost()?,
            Self::Select(parts) => 1 + parts.0.cost()? + parts.1.cost()? + parts.2.cost()?,
            Self::Pick(_) | Self::Call(..) | Self::After(..) => return None,
        })
    }
}
