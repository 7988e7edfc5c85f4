// Names of the legs of a run: the mode, what has been set of its numbers, and the kind of method.

/** What the names of legs with the method for stiff motion end with. */
const STIFF = " (implicit)";

/** What settings begin with: they are plain data, written as JSON. Of equations they are the rows that act. */
const SETTINGS = / with (?=\{"(?:parameters|acting)":)/;

/** A name in its parts. */
export interface LegName {
  readonly mode: string;
  /** The mode with its settings: the same mechanism, whatever the method. */
  readonly variant: string;
  /** As JSON; undefined where nothing has been set. */
  readonly settings: string | undefined;
  readonly isStiff: boolean;
}

export function legName(key: string): LegName {
  const isStiff = key.endsWith(STIFF);
  const variant = isStiff ? key.slice(0, -STIFF.length) : key;
  const found = SETTINGS.exec(variant);
  if (!found) return { mode: variant, variant, settings: undefined, isStiff };
  const settings = variant.slice(found.index + found[0].length);
  return { mode: variant.slice(0, found.index), variant, settings, isStiff };
}

/** The name of a mode with settings. */
export function variantName(mode: string, settings: object): string {
  return `${mode} with ${JSON.stringify(settings)}`;
}

/** The name of the leg with the method for stiff motion. */
export function stiffName(variant: string): string {
  return `${variant}${STIFF}`;
}
