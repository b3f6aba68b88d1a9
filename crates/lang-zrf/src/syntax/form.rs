//! The tree of a rules file: symbols, strings and lists of them, each with where it came from.

use std::fmt;
use std::sync::Arc;

use dagaz_base::Origin;

/// One symbol, string or list.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it is.
    pub node: Node,
    /// Where it stands, and by which macro uses it came there.
    pub origin: Origin,
    /// The macro use that this whole list is the result of: the outermost one, which the author wrote in the piece.
    pub made_by: Option<Arc<MacroUse>>,
}

/// What a [`Form`] is.
#[derive(Clone, Debug)]
pub enum Node {
    /// A name, a keyword or a number.
    Symbol(Arc<str>),
    /// A string, without its quotes and otherwise as written; see [`display_text`](crate::document::display_text).
    Text(Arc<str>),
    /// What stands between two parentheses.
    List(Vec<Form>),
}

/// A macro with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroUse {
    /// The macro's name.
    pub name: Arc<str>,
    /// The arguments after all substitution, in source form.
    pub arguments: Vec<Arc<str>>,
}

impl Form {
    /// A form that no macro made.
    pub fn new(node: Node, origin: Origin) -> Self {
        Self { node, origin, made_by: None }
    }

    /// The name, if this is a symbol.
    pub fn symbol(&self) -> Option<&str> {
        match &self.node {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The contents, if this is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if this is a list.
    pub fn list(&self) -> Option<&[Form]> {
        match &self.node {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// The symbol that begins this list.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.symbol()
    }

    /// What follows the head; nothing if this is no list, or an empty one.
    pub fn rest(&self) -> &[Form] {
        self.list().and_then(|items| items.get(1..)).unwrap_or_default()
    }

    /// Where it begins: at its head, since games are long.
    pub(crate) fn head_origin(&self) -> Origin {
        self.list().and_then(<[Form]>::first).map_or(self.origin, |head| head.origin)
    }

    /// The number, if this is a symbol that reads as one.
    pub fn integer(&self) -> Option<i64> {
        self.symbol()?.parse().ok()
    }

    /// Whether both read the same, wherever they stand.
    pub fn same_text(&self, other: &Form) -> bool {
        match (&self.node, &other.node) {
            (Node::Symbol(a), Node::Symbol(b)) | (Node::Text(a), Node::Text(b)) => a == b,
            (Node::List(a), Node::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_text(b)),
            _ => false,
        }
    }

    /// How many forms this is, itself included, and how many lists stand in one another in it.
    pub(crate) fn extent(&self) -> (usize, usize) {
        self.list().map_or((1, 0), |items| {
            items.iter().map(Form::extent).fold((1, 1), |(size, depth), (s, d)| (size + s, depth.max(d + 1)))
        })
    }
}

/// The source form, on one line unless a string has several.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Node::Symbol(name) => f.write_str(name),
            Node::Text(text) => write!(f, "\"{text}\""),
            Node::List(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    let gap = if index == 0 { "" } else { " " };
                    write!(f, "{gap}{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The source form of the use.
impl fmt::Display for MacroUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        f.write_str(")")
    }
}
