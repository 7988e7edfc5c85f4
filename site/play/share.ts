// A model in a link: deflated, in the fragment, which no server sees.

/** What a link holds. */
export interface Shared {
  readonly text: string;
  readonly a?: Readonly<Record<string, unknown>> | undefined;
  readonly b?: Readonly<Record<string, unknown>> | undefined;
}

/** Characters that a link may unfold to: a stranger's may be a bomb. */
const MOST = 5e6;

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

/** What a fragment holds; undefined where it holds no model. Throws where it is damaged. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  const coded = /^#m=([\w-]+)$/.exec(fragment)?.[1];
  if (coded === undefined) return undefined;
  const text = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const inflated = await through(bytes, new DecompressionStream("deflate-raw"), MOST);
  const shared = JSON.parse(new TextDecoder().decode(inflated)) as Partial<Shared>;
  if (typeof shared.text !== "string") throw new Error("the link holds no model");
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
    if (length > most) throw new Error("the link holds more than a model may");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
