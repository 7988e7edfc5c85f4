/** Files with private words, vague constants or clauses that are hard to read. */
export function listedFiles(paths?: readonly string[]): readonly { readonly path: string }[];
