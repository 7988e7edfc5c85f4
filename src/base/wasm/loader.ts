import { refuseMore } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import { decoderDigits } from "./generated-decoder.js";

// The module as text: one printable character for each of the commonest bytes, two for the others. Repetitions of
// bytes stay repetitions of characters, so gzip makes the text as small as the bytes. Base64 would be a third larger
// after gzip, hexadecimal digits a tenth. Deflate inside the text would need a decoder whose start takes longer than
// everything else.

/** Alphabet of an encoded text; the build writes both. */
interface Alphabet {
  /** The characters. Each of the first `escapes` is followed by a second one. */
  readonly characters: string;
  readonly escapes: number;
  /** All bytes, most frequent first, two hexadecimal digits each. */
  readonly bytes: string;
}

const PAGE_BYTES = 65536;
const CODES = 128;

/** Decodes the bytes of a text with the decoding module (assembly/decoder.ts). */
export function decodeText(
  text: string,
  length: number,
  { characters, escapes, bytes }: Alphabet,
  decoder: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const table = 4 * CODES + CODES + 256;
  const pages = Math.ceil((table + text.length + length) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const buffer = memory.buffer as ArrayBuffer;
  const bytesOrEscapes = new Int32Array(buffer, 0, CODES);
  const ranks = new Uint8Array(buffer, 4 * CODES, CODES);
  const values = hexadecimal(bytes);
  for (let rank = 0; rank < characters.length; rank++) {
    const code = characters.charCodeAt(rank);
    ranks[code] = rank;
    bytesOrEscapes[code] = rank < escapes ? -1 - rank : (values[rank - escapes] as number);
  }
  new Uint8Array(buffer, 4 * CODES + CODES).set(values.subarray(characters.length - escapes));
  new TextEncoder().encodeInto(text, new Uint8Array(buffer, table, text.length));

  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(decoder), {
    env: { memory },
  });
  const { decode } = exports as unknown as Decoder;
  decode(length, characters.length, table, 0, table + text.length);
  return new Uint8Array(buffer, table + text.length, length).slice();
}

interface Decoder {
  decode(length: number, characters: number, codes: number, table: number, out: number): void;
}

/** Bytes from hexadecimal digits. */
function hexadecimal(digits: string): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(digits.length / 2);
  for (let i = 0; i < out.length; i++) {
    out[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  }
  return out;
}

/** Source of the kernels: compiled, as bytes, or a URL. Default: the bytes of the package. */
export type WasmSource = WebAssembly.Module | BufferSource | Response | URL | string;

/** Loads one of the package's modules, once for the whole program. */
export interface ModuleLoader {
  init(
    source?: WasmSource | Promise<WasmSource>,
    ...more: undefined[]
  ): Promise<WebAssembly.Module>;
  initSync(source?: WebAssembly.Module | BufferSource, ...more: undefined[]): WebAssembly.Module;
}

/** A module inside the package, as written by the build. */
export interface Embedded {
  /** Number of bytes. */
  readonly length: number;
  /** Hash of the exported names, to recognise the module. */
  readonly signature: number;
  readonly alphabet: Alphabet;
  readonly text: () => string;
}

/** Creates a loader. `name` is the public name of the asynchronous function, for messages. */
export function moduleLoader(name: string, embedded: Embedded): ModuleLoader {
  let current: WebAssembly.Module | undefined;
  let pending: Promise<WebAssembly.Module> | undefined;
  const own = () =>
    decodeText(embedded.text(), embedded.length, embedded.alphabet, hexadecimal(decoderDigits));
  const loadOnce = async (source?: WasmSource | Promise<WasmSource>) => {
    if (source !== undefined) {
      current = await load(embedded, source);
      return current;
    }
    if (current !== undefined) return current;
    pending ??= load(embedded, Promise.resolve().then(own), INSIDE).finally(() => {
      pending = undefined;
    });
    const compiled = await pending;
    // A module supplied in the meantime is kept.
    current ??= compiled;
    return current;
  };
  return {
    // Not asynchronous itself, so that wrong calls throw synchronously.
    init(source, ...more) {
      refuseMore(name, "LOAD", more, "it takes one source");
      return loadOnce(source);
    },
    initSync(source, ...more) {
      refuseMore(`${name}Sync`, "LOAD", more, "it takes one source");
      if (source === undefined && current !== undefined) return current;
      try {
        const code = source === undefined ? own() : source;
        current = complete(embedded, isModule(code) ? code : new WebAssembly.Module(bytes(code)));
      } catch (cause) {
        throw loadError(source === undefined ? INSIDE : describe(source), cause);
      }
      return current;
    },
  };
}

const INSIDE = "the bytes inside the package";

async function load(
  embedded: Embedded,
  source: WasmSource | Promise<WasmSource>,
  name?: string,
): Promise<WebAssembly.Module> {
  let from = name ?? "the promise given to init";
  try {
    const given = await source;
    from = name ?? describe(given);
    return complete(
      embedded,
      isModule(given) ? given : await WebAssembly.compile(await fetched(given)),
    );
  } catch (cause) {
    throw loadError(from, cause);
  }
}

/** Fetches the bytes of any source but a module. Not streamed, since streaming requires a media type. */
async function fetched(source: Exclude<WasmSource, WebAssembly.Module>): Promise<BufferSource> {
  if (isA(source, "Response")) return body(source as Response);
  if (typeof source !== "string" && !isA(source, "URL")) return bytes(source);
  const url = absolute(String(source));
  return url.protocol === "file:" ? readLocal(url) : body(await fetch(url));
}

function absolute(address: string): URL {
  try {
    return new URL(address, globalThis.location?.href);
  } catch (cause) {
    throw new Error("not an absolute address, and no page to resolve it against", { cause });
  }
}

/** Node's fetch does not read files. The name is computed so that no bundler follows it. */
async function readLocal(url: URL): Promise<BufferSource> {
  const name = ["node", "fs/promises"].join(":");
  const files = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => {
    throw new Error("browsers cannot read local files; serve it over http");
  })) as { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
  return files.readFile(url);
}

function body(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

function bytes(source: unknown): BufferSource {
  if (isA(source, "ArrayBuffer")) return source as ArrayBuffer;
  if (ArrayBuffer.isView(source)) {
    // Engines differ in the views they compile; all accept this one.
    return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
  }
  throw new TypeError("expected a WebAssembly.Module, bytes, a Response or a URL");
}

/** Rejects other modules, and modules of other versions from a cache or a server. */
function complete({ signature }: Embedded, module: WebAssembly.Module): WebAssembly.Module {
  const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "function");
  const names = functions.map(({ name }) => name);
  if (signatureOf(names) === signature) return module;
  throw new Error("it was built for another version of nodrift");
}

/** FNV-1a over the sorted names: the names themselves would be a kilobyte to load. */
function signatureOf(names: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const character of [...names].sort().join()) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return hash;
}

function isModule(source: unknown): source is WebAssembly.Module {
  return isA(source, "WebAssembly.Module");
}

/** Compares tags: `instanceof` would reject objects of another frame or test environment. */
function isA(source: unknown, tag: string): boolean {
  return tagOf(source) === tag;
}

function describe(source: unknown): string {
  if (typeof source === "string" || isA(source, "URL")) return `"${source}"`;
  if (isA(source, "Response")) return `the response of "${(source as Response).url}"`;
  return `the ${tagOf(source)} given to init`;
}

/** Type tag of a value; never throws. */
function tagOf(source: unknown): string {
  try {
    return Object.prototype.toString.call(source).slice(8, -1);
  } catch {
    return "object";
  }
}

function loadError(from: string, cause: unknown): NodriftError {
  const reason = reasonOf(cause);
  const failure = `the WebAssembly kernels could not be loaded from ${from}: ${reason}`;
  return new NodriftError("LOAD", `${failure}. ${adviceFor(reason, from)}`.trim(), { cause });
}

/** Returns the message with its cause, since `fetch` reports only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function adviceFor(reason: string, from: string): string {
  if (/Content Security Policy|unsafe-eval|CSP/i.test(reason)) {
    return "Allow it by script-src 'self' 'wasm-unsafe-eval' in the page's Content-Security-Policy.";
  }
  if (/main thread|larger than|8MB|4KB/i.test(reason)) {
    return "Call `await init()` before the first system is made.";
  }
  if (/SIMD|v128|invalid opcode|0xfd|WebAssembly is not defined/i.test(reason)) {
    return "The host must support WebAssembly SIMD (Node 16.4, Chrome 91, Firefox 89, Safari 16.4).";
  }
  const inside = "Call `await init()` without argument to use the bytes inside the package.";
  if (/magic/i.test(reason))
    return `That is not WebAssembly (perhaps an HTML error page). ${inside}`;
  return from === INSIDE ? "" : inside;
}
