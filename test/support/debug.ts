/**
 * Whether tests run on the debug module. It is there for its assertions, which need each kernel and each kind of input; all
 * the random inputs are tried with the release module, and the same seeds begin with the same inputs.
 */
export const isDebug = process.env.NODRIFT_WASM === "debug";
