//! What the fuzz targets share: rule files made of bytes. The laws stand in the targets.

pub mod rules;

/// A rule file from the bytes of a fuzzer: as they are, or, after a first byte of 0, assembled from them.
///
/// The bundled games are seeds of the first kind: their mutants are mostly broken in one place. An assembled file has
/// mostly the right shape, in combinations that nobody would write.
pub fn text(data: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    match data.split_first() {
        Some((0, rest)) => rules::assemble(rest).into_bytes().into(),
        _ => data.into(),
    }
}
