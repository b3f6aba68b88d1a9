//! Which functions of a module are of any use: the exported ones, and those that these call.

use super::Module;
use super::piece::Item;

/// Whether each function is of use.
pub(super) fn used(module: &Module) -> Vec<bool> {
    let mut used: Vec<bool> = module.signatures.iter().map(|signature| signature.exported).collect();
    let mut open: Vec<usize> = (0..used.len()).filter(|&index| used[index]).collect();
    while let Some(index) = open.pop() {
        let items = &module.piece(index).items;
        for &(_, item) in items {
            if let Item::Call(function) = item
                && !std::mem::replace(&mut used[function.0 as usize], true)
            {
                open.push(function.0 as usize);
            }
        }
    }
    used
}
