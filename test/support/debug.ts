/**
 * Whether tests run on the debug module. Its assertions need each kernel and each kind of input once; all
 * random inputs are tested with the release module, and equal seeds begin with the same inputs.
 */
export const isDebug = process.env.NODRIFT_WASM === "debug";
