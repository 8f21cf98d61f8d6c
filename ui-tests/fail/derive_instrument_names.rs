use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[derive(Instrument)]
struct Characters {
    #[mutex("kv/Shard::map!")]
    lock: Mutex<u8>,
}

#[derive(Instrument)]
struct Prefix {
    #[rwlock("wait/synch/rwlock/kv/map")]
    map: RwLock<u8>,
}

#[derive(Instrument)]
#[instrument(component = "k*v")]
struct Component {
    #[condvar]
    flushed: Condvar,
}

#[derive(Instrument)]
#[instrument(component = "kv")]
struct ComponentTwice {
    #[condvar("kv/flushed")]
    flushed: Condvar,
}

#[derive(Instrument)]
struct Identifier {
    #[mutex]
    größe: Mutex<u8>,
}

#[derive(Instrument)]
struct TooLong {
    #[mutex]
    this_field_has_a_name_that_is_so_long_that_it_would_not_have_fitted_behind_its_type_and_the_prefix_of_its_class: Mutex<u8>,
}

fn main() {}
