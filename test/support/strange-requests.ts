// Requests that browsers do not send, and those that a hostile page can trigger.

import { connect } from "node:net";
import { seeded } from "./random.js";

const PIECES = [
  "//",
  "/",
  "%",
  "%00",
  "%zz",
  "%2f",
  "..",
  "\\",
  "*",
  "http://",
  "http://evil.example/",
  "[::1",
  "?",
  "#",
  ":",
  "@",
  "served-model.json",
  "changes",
  "play.html",
  "é",
  "\t",
  "a".repeat(300),
] as const;
const METHODS = [
  "GET",
  "GET",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "OPTIONS",
  "CONNECT",
  "TRACE",
  "BREW",
  "get",
];

export interface StrangeRequest {
  readonly text: string;
  /** The connection is closed before the answer. */
  readonly hangsUp: boolean;
  /** Its Host or Origin is not this machine: it must be rejected. */
  readonly isForeign: boolean;
}

/** A request by index, for a server at a port. */
export function strangeRequest(number: number, port: number): StrangeRequest {
  const random = seeded(number + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(((random() + 1) / 2) * list.length)]!;
  const chance = (part: number) => (random() + 1) / 2 < part;
  const target = Array.from({ length: 1 + Math.floor(2 * (random() + 1)) }, () => pick(PIECES));
  const isForeign = chance(0.3);
  const isForeignOrigin = isForeign && chance(0.5);
  const host =
    isForeign && !isForeignOrigin
      ? pick(["evil.example", "127.0.0.1.evil.example", ""])
      : `127.0.0.1:${port}`;
  const headers = [`Host: ${host}`];
  if (isForeignOrigin) headers.push(`Origin: ${pick(["http://evil.example", "null"])}`);
  if (chance(0.1)) headers.push("Upgrade: websocket", "Connection: Upgrade");
  if (chance(0.05)) headers.push(`X-Long: ${"x".repeat(pick([1000, 20_000, 100_000]))}`);
  if (chance(0.05))
    headers.push(
      pick(["Content-Length: -1", "Transfer-Encoding: none", "no colon", "Content-Length: 9"]),
    );
  const version = pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", ""]);
  const lines = [`${pick(METHODS)} ${target.join("")} ${version}`, ...headers, "", ""];
  const whole = lines.join(pick(["\r\n", "\r\n", "\r\n", "\n"]));
  const text = chance(0.1)
    ? whole.slice(0, Math.floor(((random() + 1) / 2) * whole.length))
    : whole;
  // A request that is not complete would wait for the server's own time limit.
  return { text, hangsUp: text !== whole || chance(0.1), isForeign };
}

/**
 * Sends it: the status of the answer, or 0 if the connection was closed without one; NaN without a response within 10
 * s.
 */
export function answerTo({ text, hangsUp }: StrangeRequest, port: number): Promise<number> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    const done = (status: number) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const statusOf = () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
    const timer = setTimeout(() => done(Number.NaN), 10_000);
    socket.on("data", (data) => {
      answer += data.toString("latin1");
      if (statusOf() > 0) done(statusOf());
    });
    socket.on("error", () => done(statusOf()));
    socket.on("close", () => done(statusOf()));
    socket.on("connect", () => {
      if (hangsUp) socket.write(text, () => done(0));
      else socket.write(text);
    });
  });
}
