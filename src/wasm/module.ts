import { NodriftError } from "../errors.js";
import { wasmBase64 } from "./generated.js";

/** Where the kernels come from: compiled, as bytes, or at an address. Default: inside the package. */
export type WasmSource = WebAssembly.Module | WasmBytes;

type WasmBytes = BufferSource | Response | URL | string;

let current: WebAssembly.Module | undefined;

/**
 * Compiles the kernels, once for the whole program. Needs no argument: the bytes are part of the
 * package. Call it where a browser must not compile on its main thread, or to supply the module
 * yourself (shared with workers, or fetched so that it is cached).
 *
 * @example
 * await init();                                              // the bytes of the package
 * await init(new URL("nodrift/nodrift.wasm", import.meta.url)); // fetched
 * await init(moduleFromMainThread);                          // in a worker: nothing to compile
 */
export async function init(source?: WasmSource | Promise<WasmSource>): Promise<WebAssembly.Module> {
  const given = await source;
  if (given === undefined && current !== undefined) return current;
  try {
    current = isModule(given)
      ? given
      : await compile(await bytesOf(given as WasmBytes | undefined));
  } catch (cause) {
    throw loadError(given, cause);
  }
  return current;
}

/**
 * {@link init} without waiting, where the host allows compiling at once: Node, workers, and the main
 * thread of current browsers. Systems call it themselves, so most programs never do.
 *
 * @example
 * initSync(readFileSync("nodrift.wasm"));
 */
export function initSync(source?: WebAssembly.Module | BufferSource): WebAssembly.Module {
  if (source === undefined && current !== undefined) return current;
  try {
    current = isModule(source)
      ? source
      : new WebAssembly.Module((source as BufferSource | undefined) ?? decodeBase64(wasmBase64));
  } catch (cause) {
    throw loadError(source, cause);
  }
  return current;
}

function isModule(source: unknown): source is WebAssembly.Module {
  return source instanceof WebAssembly.Module;
}

function compile(source: BufferSource | Response): Promise<WebAssembly.Module> {
  return source instanceof Response
    ? WebAssembly.compileStreaming(source)
    : WebAssembly.compile(source);
}

async function bytesOf(source: WasmBytes | undefined): Promise<BufferSource | Response> {
  if (source === undefined) return decodeBase64(wasmBase64);
  if (typeof source !== "string" && !(source instanceof URL)) return source;
  const url = source instanceof URL ? source : new URL(source, globalThis.location?.href);
  return url.protocol === "file:" ? readLocal(url) : fetchBytes(url);
}

/** Node's fetch does not read files. The name is computed so that no bundler follows it. */
async function readLocal(url: URL): Promise<BufferSource> {
  const name = ["node", "fs/promises"].join(":");
  const files = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return files.readFile(url);
}

/** As bytes, not as a stream: servers often send wasm with a media type that streaming refuses. */
async function fetchBytes(url: URL): Promise<BufferSource> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function loadError(source: unknown, cause: unknown): NodriftError {
  const from =
    source === undefined
      ? "from the bytes inside the package"
      : typeof source === "string" || source instanceof URL
        ? `from ${source}`
        : "from the module or bytes given to init";
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NodriftError(
    "LOAD",
    `nodrift: the WebAssembly kernels could not be loaded ${from}: ${reason}. ${adviceFor(reason)}`,
    { cause },
  );
}

function adviceFor(reason: string): string {
  if (/Content Security Policy|unsafe-eval|CSP/i.test(reason)) {
    return "Allow it by script-src 'self' 'wasm-unsafe-eval' in the page's Content-Security-Policy.";
  }
  if (/main thread|larger than|8MB|4KB/i.test(reason)) {
    return "Call `await init()` before the first system is made.";
  }
  if (/SIMD|v128|invalid opcode|0xfd/i.test(reason)) {
    return "The host must support WebAssembly SIMD (Node 16.4, Chrome 91, Firefox 89, Safari 16.4).";
  }
  return "Call `await init()` without argument to use the bytes inside the package.";
}
