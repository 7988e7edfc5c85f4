// Network namespaces of Linux, each with its own virtual cable to this machine, like separate machines of a server. A
// cable can be cut.

import { spawnSync } from "node:child_process";
import { CommandRun } from "./campaign-kills.js";

const ip = (...args: readonly string[]) => spawnSync("ip", args, { stdio: "ignore" }).status === 0;

/** One machine. */
export interface Namespace {
  readonly name: string;
  /** Cuts its cable for a while. */
  cut(milliseconds: number): Promise<void>;
}

/** An address of this machine that all namespaces reach, and the namespaces. */
export interface Network {
  readonly host: string;
  readonly namespaces: readonly Namespace[];
  remove(): void;
}

/** Creates a network of machines around a bridge; undefined if that is not permitted. */
export function makeNetwork(count: number): Network | undefined {
  const mark = `nd${process.pid % 100_000}`;
  const subnet = `10.231.${process.pid % 250}`;
  const names = Array.from({ length: count }, (_, i) => `${mark}-${i}`);
  const remove = () => {
    for (const name of names) ip("netns", "del", name);
    ip("link", "del", mark);
  };
  const made =
    ip("link", "add", mark, "type", "bridge") &&
    ip("addr", "add", `${subnet}.1/24`, "dev", mark) &&
    ip("link", "set", mark, "up") &&
    names.every((name, i) => {
      const [outer, inner] = [`${mark}o${i}`, `${mark}i${i}`];
      const within = (...args: readonly string[]) => ip("-n", name, ...args);
      return (
        ip("netns", "add", name) &&
        ip("link", "add", outer, "type", "veth", "peer", "name", inner) &&
        ip("link", "set", inner, "netns", name) &&
        ip("link", "set", outer, "master", mark) &&
        ip("link", "set", outer, "up") &&
        within("addr", "add", `${subnet}.${i + 2}/24`, "dev", inner) &&
        within("link", "set", inner, "up") &&
        within("link", "set", "lo", "up")
      );
    });
  if (!made) {
    remove();
    return undefined;
  }
  const namespaces = names.map((name, i) => ({
    name,
    async cut(milliseconds: number) {
      ip("link", "set", `${mark}o${i}`, "down");
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      ip("link", "set", `${mark}o${i}`, "up");
    },
  }));
  return { host: `${subnet}.1`, namespaces, remove };
}

/** A command of the package on one of these machines: its first argument. */
export class RemoteRun extends CommandRun {
  protected override line([name, ...args]: readonly string[]): readonly string[] {
    return ["ip", "netns", "exec", name as string, ...super.line(args)];
  }
}
