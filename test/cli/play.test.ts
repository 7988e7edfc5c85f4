// `nodrift play`: pages of the package on this machine, and a model file that is read again when it changes.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerTo, strangeRequest } from "../support/strange-requests.js";

const folder = mkdtempSync(join(tmpdir(), "nodrift-"));
const model = join(folder, "model.json");
let child: ChildProcess;
let address: URL;

beforeAll(async () => {
  writeFileSync(model, readFileSync("examples/pendulum.json", "utf8"));
  child = spawn(process.execPath, ["dist/cli.js", "play", model]);
  address = new URL(
    await new Promise<string>((resolve) => {
      child.stdout?.once("data", (text) => resolve(String(text).trim()));
    }),
  );
});
afterAll(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Status of a path as it stands, asked for by some name of this machine. */
function statusOf(path: string, host = address.host): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = address;
    request({ host: "127.0.0.1", port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("nodrift play", () => {
  test("serves pages and models on the loopback address and prints it", async () => {
    expect(address.hostname).toBe("127.0.0.1");
    expect(`${address.pathname}${address.search}`).toBe("/play.html?file");
    const page = await (await fetch(address)).text();
    expect(page).toContain("script-src 'self' 'wasm-unsafe-eval'");
    for (const [, path] of page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)) {
      expect([path, await statusOf(`/${path}`)]).toEqual([path, 200]);
    }
    const trebuchet = await (await fetch(new URL("/models/trebuchet.json", address))).text();
    expect(trebuchet).toBe(readFileSync("examples/trebuchet.json", "utf8"));
  });

  test("rejects other paths and requests from other hosts", async () => {
    expect(await statusOf("/../package.json")).toBe(404);
    expect(await statusOf("/..%2f..%2fpackage.json")).toBe(404);
    expect(await statusOf("/assets")).toBe(404);
    expect(await statusOf("/served-model.json", "example.com")).toBe(403);
    expect(await statusOf("/served-model.json", `localhost:${address.port}`)).toBe(200);
  });

  test("answers malformed requests with an error and keeps running", async () => {
    const port = Number(address.port);
    expect(await statusOf("//")).toBe(400);
    expect(await statusOf("//", "example.com")).toBe(403);
    expect(await statusOf("/%zz")).toBe(400);
    // A stream, whose answer to HEAD has no end of its own.
    const head = await fetch(new URL("/changes", address), { method: "HEAD" });
    expect(head.status).toBe(200);
    for (let i = 0; i < 300; i++) {
      const request = strangeRequest(i, port);
      const status = await answerTo(request, port);
      expect([request.text, Number.isNaN(status)]).toEqual([request.text, false]);
      if (request.isForeign)
        expect([request.text, status < 200 || status >= 400]).toEqual([request.text, true]);
    }
    expect(child.exitCode).toBe(null);
    expect(await statusOf("/play.html")).toBe(200);
  });

  test("announces changes of the file and serves the new version", async () => {
    const { body } = await fetch(new URL("/changes", address));
    const reader = body!.getReader();
    await reader.read();
    writeFileSync(model, "{ broken");
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe("data: changed\n\n");
    expect(await (await fetch(new URL("/served-model.json", address))).text()).toBe("{ broken");
    await reader.cancel();
  });

  test("stops on Ctrl-C", async () => {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });
});
