// Models in links: compressed in the fragment, which is not sent to the server.

/** Content of a link. */
export interface Shared {
  readonly text: string;
  readonly a?: Readonly<Record<string, unknown>> | undefined;
  readonly b?: Readonly<Record<string, unknown>> | undefined;
}

/** Maximum decompressed length in characters, against decompression bombs. */
const MAX_CHARACTERS = 5e6;

export async function toFragment(shared: Shared): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(shared)),
    new CompressionStream("deflate-raw"),
    Number.POSITIVE_INFINITY,
  );
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const coded = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#m=${coded}`;
}

/** Decodes a fragment; undefined if it contains no model. Throws if it is invalid. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  const coded = /^#m=([\w-]+)$/.exec(fragment)?.[1];
  if (coded === undefined) return undefined;
  const text = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const inflated = await through(bytes, new DecompressionStream("deflate-raw"), MAX_CHARACTERS);
  const shared = JSON.parse(new TextDecoder().decode(inflated)) as Partial<Shared>;
  if (typeof shared.text !== "string") throw new Error("the link contains no model");
  return shared as Shared;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) throw new Error("the model in the link is too large");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
