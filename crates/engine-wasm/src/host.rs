//! Runs a module in the sandbox of wasmtime: it has its own memory, imports nothing, and can be interrupted.

use std::sync::{Mutex, PoisonError};

use wasmtime::{
    Config, Engine, Global, Instance, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, Trap, TypedFunc, Val,
};

use crate::artefact::{self, Cache};
use crate::compile::Failure;

/// How much memory a running game may take, in bytes.
pub(crate) const MOST_MEMORY: usize = 1 << 30;

/// Bytes of the stack that the functions of a module share.
const STACK: usize = 1 << 20;

/// A module as machine code, and the instances of it that wait for work. `F` are the functions that it has.
pub(crate) struct Host<F> {
    engine: Engine,
    module: Module,
    idle: Mutex<Vec<Running<F>>>,
}

impl<F> std::fmt::Debug for Host<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

/// An instance with the handles of what the host uses of it.
pub(crate) struct Running<F> {
    pub(crate) store: Store<StoreLimits>,
    pub(crate) memory: Memory,
    pub(crate) functions: F,
    pub(crate) globals: Globals,
}

/// The functions of a module for one purpose.
pub(crate) trait Functions: Clone {
    /// Finds them by their names.
    fn of(instance: &Instance, store: &mut Store<StoreLimits>) -> Self;
}

macro_rules! functions {
    ($(#[$doc:meta])* $of:ident { $($name:ident: $params:ty => $result:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) struct $of {
            $(pub(crate) $name: TypedFunc<$params, $result>,)+
        }

        impl Functions for $of {
            fn of(instance: &Instance, store: &mut Store<StoreLimits>) -> Self {
                Self {
                    $($name: instance
                        .get_typed_func(&mut *store, stringify!($name))
                        .expect("a module has its functions"),)+
                }
            }
        }
    };
}

functions! {
    /// Those that answer questions about one state.
    Answers {
        steps: () => (),
        situation: () => i32,
        apply: i32 => (),
        score_of: (i32, i32) => i32,
    }
}

functions! {
    /// Those that play and count.
    Plays {
        drawable: () => (),
        perft: i32 => i64,
        playouts: (i32, i32) => (),
    }
}

/// The variables of a module that the host reads or sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Globals {
    pub(crate) fault: Global,
    pub(crate) running: Global,
    pub(crate) log: Global,
    pub(crate) captures: Global,
    pub(crate) line: Global,
    pub(crate) moves: Global,
    pub(crate) last_mover: Global,
    pub(crate) last_from: Global,
    pub(crate) last_to: Global,
    pub(crate) ends_move: Global,
    pub(crate) list_start: Global,
    pub(crate) list_end: Global,
    pub(crate) tallying: Global,
}

/// How a call ended that gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The module gave up, for the reason of this number, while this ran.
    Gave(i32, i32),
    /// Its functions called each other too deeply.
    Deep,
    /// Somebody wanted no more of it.
    Interrupted,
}

impl<F: Functions> Host<F> {
    /// Machine code of a module, which may be kept, and a first instance; nothing when there is no room for one.
    pub(crate) fn new(engine: &Engine, bytes: &[u8], cache: Option<&dyn Cache>) -> Option<Self> {
        let module = artefact::module(engine, bytes, cache);
        let host = Self { engine: engine.clone(), module, idle: Mutex::new(Vec::new()) };
        let first = host.start()?;
        host.idle.lock().unwrap_or_else(PoisonError::into_inner).push(first);
        Some(host)
    }

    /// Lends an instance. One in which a call failed is not used again.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut Running<F>) -> Result<R, Stop>) -> Result<R, Stop> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let no_room = Stop::Gave(Failure::Memory as i32, 0);
        let mut running = waiting.or_else(|| self.start()).ok_or(no_room)?;
        running.store.set_epoch_deadline(1);
        let result = call(&mut running)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(running);
        Ok(result)
    }

    /// A new instance; nothing when the system does not let this process have the addresses that its memory may grow to.
    fn start(&self) -> Option<Running<F>> {
        let limits = StoreLimitsBuilder::new().memory_size(MOST_MEMORY).instances(1).memories(1).build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        store.set_epoch_deadline(1);
        let instance = Instance::new(&mut store, &self.module, &[]).ok()?;
        let memory = instance.get_memory(&mut store, "memory").expect("a module has a memory");
        let functions = F::of(&instance, &mut store);
        let mut global = |name| instance.get_global(&mut store, name).expect("a module has its variables");
        let globals = Globals {
            fault: global("fault"),
            running: global("running"),
            log: global("log"),
            captures: global("captures"),
            line: global("line"),
            moves: global("moves"),
            last_mover: global("last_mover"),
            last_from: global("last_from"),
            last_to: global("last_to"),
            ends_move: global("ends_move"),
            list_start: global("list_start"),
            list_end: global("list_end"),
            tallying: global("tallying"),
        };
        Some(Running { store, memory, functions, globals })
    }
}

impl<F> Running<F> {
    /// Why a call trapped.
    pub(crate) fn stop(&mut self, error: &wasmtime::Error) -> Stop {
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => Stop::Interrupted,
            Some(Trap::StackOverflow) => Stop::Deep,
            _ => match (self.get(self.globals.fault), self.get(self.globals.running)) {
                (0, _) => panic!("a module traps for a reason: {error:?}"),
                (fault, running) => Stop::Gave(fault, running),
            },
        }
    }

    pub(crate) fn get(&mut self, global: Global) -> i32 {
        global.get(&mut self.store).i32().expect("the variable is a number")
    }

    pub(crate) fn set(&mut self, global: Global, value: i32) {
        global.set(&mut self.store, Val::I32(value)).expect("the variable can be changed");
    }

    pub(crate) fn word(&self, address: u32) -> i32 {
        let bytes = &self.memory.data(&self.store)[address as usize..][..4];
        i32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    pub(crate) fn long(&self, address: u32) -> u64 {
        let bytes = &self.memory.data(&self.store)[address as usize..][..8];
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }

    pub(crate) fn put(&mut self, address: u32, bytes: &[u8]) {
        self.memory.data_mut(&mut self.store)[address as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// What compiles and runs the modules of some rules.
pub(crate) fn engine() -> Engine {
    let mut config = Config::new();
    config.epoch_interruption(true).max_wasm_stack(STACK);
    Engine::new(&config).expect("wasmtime supports this machine")
}
