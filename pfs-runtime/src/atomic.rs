//! The atomics of the engine: the ones of `core`, or those of `loom` when a model is checked.
