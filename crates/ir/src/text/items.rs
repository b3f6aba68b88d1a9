//! Lists read item by item, and names looked up in tables. Knows the manner of the text form, not what it says.

use std::collections::BTreeMap;

use dagaz_base::Id;

use super::read::{Shape, Tree, Wrong};
use super::words::{ANY, Word};

pub(super) type Result<T, E = Wrong> = std::result::Result<T, E>;

/// The items of one list that are still to be read.
#[derive(Clone, Copy)]
pub(super) struct Items<'p> {
    pub(super) rest: &'p [Tree<'p>],
    /// Where the list ends.
    pub(super) end: usize,
}

impl<'p> Items<'p> {
    /// The items of a list.
    pub(super) fn of(tree: &'p Tree<'_>, expected: &str) -> Result<Self> {
        match &tree.shape {
            Shape::List(rest, end) => Ok(Self { rest, end: *end }),
            _ => Err(Wrong::new(tree.at, expected)),
        }
    }

    pub(super) fn next(&mut self, expected: &str) -> Result<&'p Tree<'p>> {
        let (first, rest) = self.rest.split_first().ok_or_else(|| Wrong::new(self.end, expected))?;
        self.rest = rest;
        Ok(first)
    }

    /// All that are left, each made into something.
    pub(super) fn each<T, C: FromIterator<T>>(&mut self, make: impl FnMut(&'p Tree<'p>) -> Result<T>) -> Result<C> {
        std::mem::take(&mut self.rest).iter().map(make).collect()
    }

    /// The list that comes next, if it is one with this head: what follows its head.
    pub(super) fn clause(&mut self, head: &str) -> Option<Items<'p>> {
        let (first, rest) = self.rest.split_first()?;
        let Shape::List(items, end) = &first.shape else { return None };
        let (word, items) = items.split_first()?;
        if !matches!(word.shape, Shape::Word(word) if word == head) {
            return None;
        }
        self.rest = rest;
        Some(Self { rest: items, end: *end })
    }

    pub(super) fn need_clause(&mut self, head: &str) -> Result<Items<'p>> {
        let at = self.at();
        self.clause(head).ok_or_else(|| Wrong::new(at, format!("`({head} …)`")))
    }

    /// Whether the word that comes next is this one; it is then read.
    pub(super) fn flag(&mut self, flag: &str) -> bool {
        let next = self.rest.first().is_some_and(|tree| matches!(tree.shape, Shape::Word(word) if word == flag));
        if next {
            self.rest = &self.rest[1..];
        }
        next
    }

    /// Makes sure that nothing is left.
    pub(super) fn finish(self) -> Result<()> {
        self.rest.first().map_or(Ok(()), |tree| Err(Wrong::new(tree.at, "`)`")))
    }

    pub(super) fn at(&self) -> usize {
        self.rest.first().map_or(self.end, |tree| tree.at)
    }

    pub(super) fn name(&mut self) -> Result<String> {
        name(self.next("a name")?)
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        number(self.next("a number")?)
    }

    pub(super) fn choice<W: Word>(&mut self) -> Result<W> {
        let tree = self.next(W::WHAT)?;
        word(tree)
            .and_then(|word| W::WORDS.iter().find(|(_, text)| *text == word))
            .map(|&(choice, _)| choice)
            .ok_or_else(|| {
                let words: Vec<_> = W::WORDS.iter().map(|(_, word)| format!("`{word}`")).collect();
                Wrong::new(tree.at, format!("{}: {}", W::WHAT, words.join(" or ")))
            })
    }
}

pub(super) fn word<'p>(tree: &'p Tree<'_>) -> Option<&'p str> {
    match tree.shape {
        Shape::Word(word) => Some(word),
        _ => None,
    }
}

pub(super) fn number<T: std::str::FromStr>(tree: &Tree<'_>) -> Result<T> {
    let number = word(tree).and_then(|word| word.parse().ok());
    number.ok_or_else(|| Wrong::new(tree.at, "a number that fits there"))
}

/// The name that a thing is given.
pub(super) fn name(tree: &Tree<'_>) -> Result<String> {
    match &tree.shape {
        Shape::Word(word) if !word.contains('#') && !word.starts_with('@') && *word != ANY => Ok((*word).to_owned()),
        Shape::Quoted(name, "") => Ok(name.clone()),
        _ => Err(Wrong::new(tree.at, "a name")),
    }
}

/// The number that follows a sign, as in `@5`.
pub(super) fn index<I: Id>(digits: &str) -> Option<I> {
    digits.parse::<u32>().ok().map(|index| I::from_index(index as usize))
}

/// The things of one table by their names.
pub(super) struct Table<I> {
    pub(super) what: &'static str,
    /// How many there are.
    pub(super) len: usize,
    ids: BTreeMap<String, Vec<I>>,
}

impl<I: Id> Table<I> {
    pub(super) fn new(what: &'static str, names: impl IntoIterator<Item = String>) -> Self {
        let (mut len, mut ids) = (0, BTreeMap::<_, Vec<I>>::new());
        for name in names {
            ids.entry(name).or_default().push(I::from_index(len));
            len += 1;
        }
        Self { what, len, ids }
    }

    /// The thing that is meant: `name`, `name#2` for the second of that name, or `#5` for the index 5.
    pub(super) fn find(&self, tree: &Tree<'_>) -> Result<I> {
        let (name, suffix) = match &tree.shape {
            Shape::Word(word) => match word.split_once('#') {
                None => (*word, None),
                Some(("", digits)) => return index(digits).ok_or_else(|| self.missing(tree)),
                Some((name, digits)) => (name, Some(digits)),
            },
            Shape::Quoted(name, "") => (name.as_str(), None),
            Shape::Quoted(name, suffix) => (name.as_str(), Some(suffix.strip_prefix('#').unwrap_or_default())),
            Shape::List(..) => return Err(self.missing(tree)),
        };
        let nth = suffix.map_or(Some(1), |digits| digits.parse::<usize>().ok());
        let id = self.ids.get(name).zip(nth).and_then(|(ids, nth)| ids.get(nth.checked_sub(1)?));
        id.copied().ok_or_else(|| self.missing(tree))
    }

    pub(super) fn next(&self, items: &mut Items<'_>) -> Result<I> {
        self.find(items.next(self.what)?)
    }

    pub(super) fn each<C: FromIterator<I>>(&self, items: &mut Items<'_>) -> Result<C> {
        items.each(|tree| self.find(tree))
    }

    /// `(name number)`.
    pub(super) fn pair(&self, tree: &Tree<'_>) -> Result<(I, i32)> {
        let mut items = Items::of(tree, "`(name number)`")?;
        let pair = (self.next(&mut items)?, items.number()?);
        items.finish().map(|()| pair)
    }

    fn missing(&self, tree: &Tree<'_>) -> Wrong {
        Wrong::new(tree.at, self.what)
    }
}
