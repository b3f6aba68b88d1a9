//! Trees of words laid out in lines. Knows nothing of rules.

/// How long lines are, where they can be broken at all.
const WIDTH: usize = 110;
const INDENT: usize = 2;

/// A word, or a list in parentheses.
pub(super) struct Node {
    /// Its width on one line.
    width: usize,
    shape: Shape,
}

enum Shape {
    Word(String),
    List { style: Style, items: Vec<Node> },
}

/// How a list breaks into lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// One line if it fits; otherwise the words it starts with on the first, and a line for each item that follows.
    Fit,
    /// As many items in a line as fit.
    Fill,
    /// So many items on the first line, and always a line for each item that follows.
    Block(usize),
}

impl Node {
    /// A word.
    pub(super) fn word(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { width: text.chars().count(), shape: Shape::Word(text) }
    }

    /// A list on one line if it fits.
    pub(super) fn list(items: Vec<Node>) -> Self {
        Self::styled(Style::Fit, items)
    }

    /// A list that fills its lines.
    pub(super) fn fill(items: Vec<Node>) -> Self {
        Self::styled(Style::Fill, items)
    }

    /// A list with a line for each item after the head.
    pub(super) fn block(head: Vec<Node>, items: impl IntoIterator<Item = Node>) -> Self {
        let style = Style::Block(head.len());
        let mut all = head;
        all.extend(items);
        Self::styled(style, all)
    }

    fn styled(style: Style, items: Vec<Node>) -> Self {
        let width = 1 + items.iter().map(|item| item.width + 1).sum::<usize>().max(1);
        Self { width, shape: Shape::List { style, items } }
    }

    /// The tree as text, ending with a line break.
    pub(super) fn render(&self) -> String {
        let mut page = Page { text: String::new(), column: 0 };
        page.node(self, 0);
        page.text.push('\n');
        page.text
    }
}

struct Page {
    text: String,
    column: usize,
}

impl Page {
    fn push(&mut self, text: &str, width: usize) {
        self.text.push_str(text);
        self.column += width;
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Writes a node whose continuation lines are indented by more than `indent`.
    fn node(&mut self, node: &Node, indent: usize) {
        let (style, items) = match &node.shape {
            Shape::Word(text) => return self.push(text, node.width),
            Shape::List { style, items } => (*style, items),
        };
        let fits = self.column + node.width <= WIDTH;
        let inner = indent + INDENT;
        self.push("(", 1);
        match style {
            Style::Block(head) => {
                for (index, item) in items.iter().enumerate() {
                    if index >= head {
                        self.line(inner);
                        self.node(item, inner);
                    } else {
                        self.space(index);
                        // Deeper than the lines that follow, so that the head is told from the body.
                        self.node(item, inner + INDENT);
                    }
                }
            }
            Style::Fill => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 && self.column + 1 + item.width > WIDTH {
                        self.line(inner);
                    } else {
                        self.space(index);
                    }
                    self.node(item, inner);
                }
            }
            Style::Fit => {
                let mut head = true;
                for (index, item) in items.iter().enumerate() {
                    head &= index == 0 || matches!(item.shape, Shape::Word(_));
                    if fits || head {
                        self.space(index);
                    } else {
                        self.line(inner);
                    }
                    self.node(item, inner);
                }
            }
        }
        self.push(")", 1);
    }

    fn space(&mut self, index: usize) {
        if index > 0 {
            self.push(" ", 1);
        }
    }
}
