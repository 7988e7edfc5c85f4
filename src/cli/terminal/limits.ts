/** Largest size of a model file in bytes. Larger files are not read, since the parser would reject them. */
export const MAX_MODEL_BYTES = 20_000_000;
