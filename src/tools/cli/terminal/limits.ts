/** Files with more bytes are not read at all: what is in them would be refused. */
export const LARGEST_MODEL = 20_000_000;
