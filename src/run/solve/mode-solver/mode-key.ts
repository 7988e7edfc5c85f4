// Keys of the mode solvers of a run: the mode, the settings changed in it, and the kind of method.

/** Suffix of keys with the method for stiff motion. */
const STIFF = " (implicit)";

/** Start of the settings: plain data, written as JSON. For equations, the settings are the active rows. */
const SETTINGS = / with (?=\{"(?:parameters|acting)":)/;

/** A parsed key. */
export interface ModeKey {
  readonly mode: string;
  /** The mode with its settings: the same mechanism, whatever the method. */
  readonly variant: string;
  /** Settings as JSON; undefined if nothing has been set. */
  readonly settings: string | undefined;
  readonly isStiff: boolean;
}

export function parseModeKey(key: string): ModeKey {
  const isStiff = key.endsWith(STIFF);
  const variant = isStiff ? key.slice(0, -STIFF.length) : key;
  const found = SETTINGS.exec(variant);
  if (!found) return { mode: variant, variant, settings: undefined, isStiff };
  const settings = variant.slice(found.index + found[0].length);
  return { mode: variant.slice(0, found.index), variant, settings, isStiff };
}

/** Returns the name of a mode with settings. */
export function variantName(mode: string, settings: object): string {
  return `${mode} with ${JSON.stringify(settings)}`;
}

/** Returns the key of the mode solver with the method for stiff motion. */
export function stiffName(variant: string): string {
  return `${variant}${STIFF}`;
}
