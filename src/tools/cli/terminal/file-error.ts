/** Something about files of the system. */
export class FileError extends Error {
  override readonly name = "FileTrouble";
}

/** What is wrong with a file, as text instead of a system error code. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `${path}: the disk is full. Nothing was written: make room, or write elsewhere`,
  EDQUOT: (path) => `${path}: disk quota exceeded. Nothing was written`,
  EFBIG: (path) => `${path}: file too large for this file system. Nothing was written`,
  EROFS: (path) => `${path}: this is a read-only file system. Write elsewhere with --out`,
  EACCES: (path) => `${path}: you have no permission to write it. Write elsewhere with --out`,
  EPERM: (path) => `${path}: you have no permission to write it. Write elsewhere with --out`,
  ENOENT: (path) => `${path}: there is no such folder`,
  ENOTDIR: (path) => `${path}: a part of this path is a file, not a folder`,
  EEXIST: (path) => `${path}: there is a file of this name, where a folder is wanted`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  ENAMETOOLONG: (path) => `${path}: the name is too long`,
  EPIPE: (path) => `${path}: broken pipe`,
  EIO: (path) => `${path}: I/O error`,
  EMFILE: (path) => `${path}: too many files are open`,
};

export function sentenceOf({ code = "", message }: NodeJS.ErrnoException, path: string): string {
  return SENTENCES[code]?.(path) ?? `${path}: ${message}`;
}
