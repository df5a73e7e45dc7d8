//! The types of C, as far as semantic errors depend on them.

use std::rc::Rc;

/// A type without its qualifiers, the sizes of its arrays, and the names of its enumerations.
#[derive(Clone, Debug)]
pub(super) enum Type {
    /// A type of which nothing is known. It goes with every other.
    Unknown,
    Void,
    Integer(Integer),
    Floating(Floating),
    Pointer(Rc<Type>),
    /// An array, and whether its size is told.
    Array(Rc<Type>, bool),
    Function(Rc<Function>),
    /// A structure or a union, by its index in the checker's list.
    Record(usize),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    /// Any integer type.
    Any,
    /// An enumeration, by its index in the checker's list.
    Enumeration(usize),
    Bool,
    Char,
    /// `signed char` or `unsigned char`, `short`, `int`, `long`, or `long long`, by the number of bits that they have at least,
    /// and whether it is unsigned; `long` counts as 63 bits.
    Sized(u8, bool),
}

/// A floating type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floating {
    Any,
    Float,
    Double,
    LongDouble,
}

/// The type of a function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) result: Type,
    /// `None` if the declaration does not tell them, as `int f()`.
    pub(super) parameters: Option<Vec<Type>>,
    pub(super) is_variadic: bool,
}

impl Integer {
    /// Whether it is known which type this is: compilers choose those of enumerations.
    fn is_certain(self) -> bool {
        !matches!(self, Self::Any | Self::Enumeration(_))
    }
}

impl Type {
    pub(super) const INT: Self = Self::Integer(Integer::Sized(32, false));

    pub(super) fn pointer_to(target: Self) -> Self {
        Self::Pointer(Rc::new(target))
    }

    /// The type of an arithmetic type's words, such as `unsigned` and `long`; `None` if they make no type.
    pub(super) fn of_words<'a>(words: impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        let (mut unsigned, mut signed, mut long, mut short) = (0, 0, 0, 0);
        let mut base: Option<&[u8]> = None;
        for word in words {
            match word {
                b"unsigned" => unsigned += 1,
                b"signed" | b"__signed__" | b"__signed" => signed += 1,
                b"long" => long += 1,
                b"short" => short += 1,
                b"_Complex" | b"__complex__" => return Some(Self::Floating(Floating::Any)),
                _ if base.is_some() => return None,
                _ => base = Some(word),
            }
        }
        let is_unsigned = unsigned > 0;
        if unsigned + signed > 1 || short > 1 || long > 2 || short > 0 && long > 0 {
            return None;
        }
        let sized = unsigned + signed + short + long > 0;
        Some(match base {
            Some(b"void") if !sized => Self::Void,
            Some(b"bool" | b"_Bool") if !sized => Self::Integer(Integer::Bool),
            Some(b"float") if !sized => Self::Floating(Floating::Float),
            Some(b"double") if !sized => Self::Floating(Floating::Double),
            Some(b"double") if long == 1 && unsigned + signed + short == 0 => {
                Self::Floating(Floating::LongDouble)
            }
            Some(b"char") if !sized => Self::Integer(Integer::Char),
            Some(b"char") if short + long == 0 => Self::Integer(Integer::Sized(8, is_unsigned)),
            Some(b"__int128") => Self::Integer(Integer::Any),
            None | Some(b"int") if short == 1 => Self::Integer(Integer::Sized(16, is_unsigned)),
            None | Some(b"int") if long == 1 => Self::Integer(Integer::Sized(63, is_unsigned)),
            None | Some(b"int") if long == 2 => Self::Integer(Integer::Sized(64, is_unsigned)),
            None | Some(b"int") => Self::Integer(Integer::Sized(32, is_unsigned)),
            Some(_) => return None,
        })
    }

    /// The type of a value of this type: arrays and functions become pointers.
    pub(super) fn decayed(self) -> Self {
        match self {
            Self::Array(element, _) => Self::Pointer(element),
            Self::Function(_) => Self::pointer_to(self),
            other => other,
        }
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    pub(super) fn is_record(&self) -> bool {
        matches!(self, Self::Record(_))
    }

    pub(super) fn is_void(&self) -> bool {
        matches!(self, Self::Void)
    }

    pub(super) fn is_floating(&self) -> bool {
        matches!(self, Self::Floating(_))
    }

    /// Whether a decayed type is that of a pointer for certain.
    pub(super) fn is_pointer(&self) -> bool {
        matches!(self, Self::Pointer(_))
    }

    /// Whether a decayed type may be a number or a pointer.
    pub(super) fn may_be_scalar(&self) -> bool {
        !self.is_record() && !self.is_void()
    }

    /// Whether a decayed type may be an integer.
    pub(super) fn may_be_integer(&self) -> bool {
        matches!(self, Self::Unknown | Self::Integer(_))
    }

    /// Whether a decayed type may be a number.
    pub(super) fn may_be_number(&self) -> bool {
        self.may_be_integer() || self.is_floating()
    }

    /// Whether two declarations may give these types to one name (C11, 6.2.7), as far as they are known.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) | (Self::Void, Self::Void) => true,
            (Self::Integer(a), Self::Integer(b)) => a == b || !a.is_certain() || !b.is_certain(),
            (Self::Floating(a), Self::Floating(b)) => a == b || [*a, *b].contains(&Floating::Any),
            (Self::Pointer(a), Self::Pointer(b)) | (Self::Array(a, _), Self::Array(b, _)) => {
                a.is_compatible(b)
            }
            (Self::Function(a), Self::Function(b)) => a.is_compatible(b),
            (Self::Record(a), Self::Record(b)) => a == b,
            _ => false,
        }
    }

    /// Whether a value of this decayed type may be assigned to a place of a type. Integers and pointers go with each other, which
    /// compilers warn of.
    pub(super) fn is_assignable_to(&self, place: &Self) -> bool {
        match (place, self) {
            (_, Self::Void) => false,
            (Self::Record(a), Self::Record(b)) => a == b,
            (Self::Record(_), value) => value.is_unknown(),
            (Self::Pointer(_), value) => value.may_be_scalar() && !value.is_floating(),
            (Self::Floating(_), value) => value.may_be_scalar() && !value.is_pointer(),
            (Self::Integer(_), value) => value.may_be_scalar(),
            _ => true,
        }
    }

    /// Whether an argument of a function without parameters in its declaration keeps this type (C11, 6.5.2.2).
    fn is_promoted(&self) -> bool {
        match self {
            Self::Integer(Integer::Bool | Integer::Char) | Self::Floating(Floating::Float) => false,
            Self::Integer(Integer::Sized(bits, _)) => *bits >= 32,
            _ => true,
        }
    }
}

impl Function {
    fn is_compatible(&self, other: &Self) -> bool {
        let are_compatible = match (&self.parameters, &other.parameters) {
            (Some(a), Some(b)) => {
                self.is_variadic == other.is_variadic
                    && a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.is_compatible(b))
            }
            (Some(parameters), None) => !self.is_variadic && parameters.iter().all(Type::is_promoted),
            (None, Some(parameters)) => !other.is_variadic && parameters.iter().all(Type::is_promoted),
            (None, None) => true,
        };
        are_compatible && self.result.is_compatible(&other.result)
    }
}
