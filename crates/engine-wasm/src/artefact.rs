//! Machine code as bytes that may be kept between runs. They are believed only whole, and only for the module, compiler and
//! processor that they were made for.

use std::hash::{Hash as _, Hasher};

use sha2::{Digest as _, Sha256};
use wasmtime::{Engine, Module};

/// Where machine code is kept between runs. What comes back is checked for damage, not for malice, because it is run: nobody
/// else may be able to write there.
pub trait Cache {
    /// What was kept under a name, if it is still there.
    fn load(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps something under a name, or does not.
    fn save(&self, name: &str, bytes: &[u8]);
}

/// What artefacts begin with; the number is that of their form.
const MAGIC: &[u8; 16] = b"dagaz code    1\n";

/// Bytes of a digest.
const DIGEST: usize = 32;

/// Bytes before the machine code: the magic, the key, and a digest of all the rest.
const HEAD: usize = MAGIC.len() + 2 * DIGEST;

/// The machine code of a module: from the cache, or else compiled, and then kept there. Panics when the bytes are no proper
/// module: they are always our own.
pub(crate) fn module(engine: &Engine, bytes: &[u8], cache: Option<&dyn Cache>) -> Module {
    let compile =
        || Module::new(engine, bytes).unwrap_or_else(|error| panic!("compiled rules are a module: {error:?}"));
    let Some(cache) = cache else { return compile() };
    let key = key(engine, bytes);
    let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(kept) = cache.load(&name)
        && let Some(code) = open(&key, &kept)
        && let Some(module) = revive(engine, code)
    {
        return module;
    }
    let module = compile();
    if let Ok(code) = module.serialize() {
        cache.save(&name, &seal(&key, &code));
    }
    module
}

/// What machine code depends on: the module, in which the rules, their limits and our compiler have come to, and whatever of
/// wasmtime, its settings and the processor matters.
fn key(engine: &Engine, module: &[u8]) -> [u8; DIGEST] {
    let mut digest = Feed(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut digest);
    digest.0.update(module);
    digest.0.finalize().into()
}

/// Machine code with what is needed to believe it.
fn seal(key: &[u8; DIGEST], code: &[u8]) -> Vec<u8> {
    [&MAGIC[..], key, &digest(key, code), code].concat()
}

/// The machine code, when it is that of the key and not one bit of it has changed.
fn open<'a>(key: &[u8; DIGEST], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (head, code) = bytes.split_at_checked(HEAD)?;
    (head == [&MAGIC[..], key, &digest(key, code)].concat()).then_some(code)
}

fn digest(key: &[u8; DIGEST], code: &[u8]) -> [u8; DIGEST] {
    Sha256::new().chain_update(key).chain_update(code).finalize().into()
}

#[expect(unsafe_code, reason = "wasmtime cannot know who wrote the bytes")]
fn revive(engine: &Engine, code: &[u8]) -> Option<Module> {
    // SAFETY: the bytes must be what `Module::serialize` gave, unchanged. The digest says that they are what `seal` was given,
    // unless somebody made a digest to fit; who can write to the cache can also change this program.
    unsafe { Module::deserialize(engine, code) }.ok()
}

/// A digest of what is hashed.
struct Feed(Sha256);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("nobody asks for a short hash");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use super::*;

    /// A cache that counts what is asked of it.
    #[derive(Default)]
    struct Kept {
        files: RefCell<BTreeMap<String, Vec<u8>>>,
        saved: RefCell<usize>,
    }

    impl Cache for Kept {
        fn load(&self, name: &str) -> Option<Vec<u8>> {
            self.files.borrow().get(name).cloned()
        }

        fn save(&self, name: &str, bytes: &[u8]) {
            self.files.borrow_mut().insert(name.to_owned(), bytes.to_vec());
            *self.saved.borrow_mut() += 1;
        }
    }

    /// The smallest modules: nothing, and a memory.
    const NOTHING: &[u8] = b"\0asm\x01\0\0\0";
    const MEMORY: &[u8] = b"\0asm\x01\0\0\0\x05\x03\x01\x00\x01";

    #[test]
    fn what_was_compiled_is_not_compiled_again() {
        let (engine, kept) = (Engine::default(), Kept::default());
        for bytes in [NOTHING, MEMORY, NOTHING, MEMORY] {
            module(&engine, bytes, Some(&kept));
        }
        assert_eq!((*kept.saved.borrow(), kept.files.borrow().len()), (2, 2));
    }

    #[test]
    fn other_settings_have_other_names() {
        let mut config = wasmtime::Config::new();
        let other = Engine::new(config.epoch_interruption(true)).unwrap();
        assert_ne!(key(&Engine::default(), NOTHING), key(&other, NOTHING));
        assert_eq!(key(&Engine::default(), NOTHING), key(&Engine::default(), NOTHING));
    }

    #[test]
    fn no_damaged_artefact_is_believed() {
        let key = key(&Engine::default(), NOTHING);
        let sealed = seal(&key, b"machine code");
        assert_eq!(open(&key, &sealed), Some(&b"machine code"[..]));
        for at in 0..sealed.len() {
            assert_eq!(open(&key, &sealed[..at]), None, "cut to {at} bytes");
            for bit in 0..8 {
                let mut damaged = sealed.clone();
                damaged[at] ^= 1 << bit;
                assert_eq!(open(&key, &damaged), None, "byte {at}, bit {bit}");
            }
        }
        assert_eq!(open(&key, &[&sealed[..], b"!"].concat()), None, "a byte more");
        assert_eq!(open(&self::key(&Engine::default(), MEMORY), &sealed), None, "of another module");
    }

    #[test]
    fn what_is_damaged_is_made_anew() {
        let (engine, kept) = (Engine::default(), Kept::default());
        module(&engine, NOTHING, Some(&kept));
        let whole = kept.files.borrow().clone();
        for damage in [Vec::new(), b"rubbish".to_vec(), vec![0; 1 << 16], MAGIC.to_vec()] {
            kept.files.borrow_mut().values_mut().for_each(|bytes| *bytes = damage.clone());
            module(&engine, NOTHING, Some(&kept));
            assert_eq!(*kept.files.borrow(), whole);
        }
    }

    #[test]
    fn what_wasmtime_does_not_know_is_made_anew() {
        let (engine, kept) = (Engine::default(), Kept::default());
        module(&engine, NOTHING, Some(&kept));
        let whole = kept.files.borrow().clone();
        let key = key(&engine, NOTHING);
        kept.files.borrow_mut().values_mut().for_each(|bytes| *bytes = seal(&key, b"no machine code at all"));
        module(&engine, NOTHING, Some(&kept));
        assert_eq!(*kept.files.borrow(), whole);
    }
}
