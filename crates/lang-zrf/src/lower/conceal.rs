//! `(conceal …)`: what a player does not see of a state.

use dagaz_base::{Diagnostic, IdMap};
use dagaz_ir::{Concealment, Expr, Field, Function, LocalInfo, Op, Scope, Type};

use crate::lower::Lowering;
use crate::lower::block::{Asks, BlockLowering, short};
use crate::lower::names::suggest;
use crate::syntax::Form;

/// What else can be concealed than what the game itself has a name for.
const WORDS: [&str; 3] = ["piece", "kind", "hand"];

impl Lowering<'_> {
    /// Reads what is concealed. All fields must be known by now.
    pub(crate) fn concealments(&mut self) -> Vec<Concealment> {
        let sections = self.sections;
        sections.concealments.iter().filter_map(|form| self.concealment(form)).collect()
    }

    /// `(conceal what condition …)`. Without conditions it is concealed from everybody; `(conceal)` conceals nothing, which a
    /// variant may say.
    fn concealment(&mut self, form: &Form) -> Option<Concealment> {
        let (what, conditions) = form.rest().split_first()?;
        let fields = self.concealed(what)?;
        if !self.afford(fields.len(), form.origin) {
            return None;
        }
        let scope = self.fields[fields[0]].scope;
        let mut locals = IdMap::new();
        let names: &[&str] = match scope {
            Scope::Piece | Scope::Site | Scope::Stack(_) => &["here"],
            Scope::Player => &["owner"],
            Scope::Hand => &["owner", "kind"],
            Scope::Array(_) => &["index"],
            Scope::Global => &[],
        };
        let subject: Vec<_> = std::iter::zip(names, scope.element())
            .map(|(&name, &ty)| (name, locals.push(LocalInfo { name: name.to_owned(), ty }), ty))
            .collect();
        let mut block = BlockLowering::asking(self, locals, Asks::Nothing, form.origin);
        for (name, local, ty) in subject {
            match ty {
                Type::Site => block.start_at(local),
                _ => _ = block.variables.insert(name.to_owned(), (local, ty)),
            }
        }
        let parts: Vec<_> = conditions.iter().map(|condition| block.condition(condition)).collect();
        let condition = Function { locals: block.into_locals(), body: Expr::new(Op::And, parts) };
        Some(Concealment { name: short(form), fields, condition, origin: Some(form.origin) })
    }

    /// The fields that a word means, at least one: a name of the game first.
    fn concealed(&mut self, what: &Form) -> Option<Vec<Field>> {
        let word = what.symbol().unwrap_or_default();
        let named = self.names.variables.get(word).or_else(|| self.names.attributes.get(word));
        if let Some(&field) = named {
            return Some(vec![field]);
        }
        let error = |why: &str| Diagnostic::error("zrf-conceal", what.origin, why.to_owned());
        match (word, self.hand_field) {
            ("piece" | "kind", _) => {
                let of_piece = |scope: Scope| matches!(scope, Scope::Piece | Scope::Stack(_));
                let fields = self.fields.iter().filter(|(_, info)| of_piece(info.scope)).map(|(field, _)| field);
                Some(fields.filter(|&field| word == "piece" || field != self.owner_field).collect())
            }
            ("hand", Some(hand)) => Some(vec![hand]),
            ("hand", None) => {
                self.diagnostics.push(error("no piece of this game waits in a hand"));
                None
            }
            _ => {
                let names = &self.names;
                let known = names.variables.keys().chain(names.attributes.keys()).map(String::as_str).chain(WORDS);
                let help = suggest(word, known).unwrap_or_else(|| "it is written `(conceal piece condition …)`".into());
                self.diagnostics.push(
                    error(&format!("there is no `{}` to conceal", short(what)))
                        .label("neither `piece`, `kind` or `hand` nor a variable or an attribute")
                        .help(help),
                );
                None
            }
        }
    }
}
