/** An error of the file system, with a message for users. */
export class FileError extends Error {
  override readonly name = "FileTrouble";
}

/** Messages for system error codes. */
const MESSAGES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) =>
    `${path}: the disk is full. Nothing was written: free some space, or write elsewhere`,
  EDQUOT: (path) => `${path}: disk quota exceeded. Nothing was written`,
  EFBIG: (path) => `${path}: file too large for this file system. Nothing was written`,
  EROFS: (path) => `${path}: read-only file system. Write elsewhere with --out`,
  EACCES: (path) => `${path}: permission denied. Write elsewhere with --out`,
  EPERM: (path) => `${path}: permission denied. Write elsewhere with --out`,
  ENOENT: (path) => `${path}: folder not found`,
  ENOTDIR: (path) => `${path}: part of the path is a file, not a folder`,
  EEXIST: (path) => `${path}: a file with this name exists, but a folder is needed`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  ENAMETOOLONG: (path) => `${path}: the name is too long`,
  EPIPE: (path) => `${path}: broken pipe`,
  EIO: (path) => `${path}: I/O error`,
  EMFILE: (path) => `${path}: too many open files`,
};

export function fileErrorText({ code = "", message }: NodeJS.ErrnoException, path: string): string {
  return MESSAGES[code]?.(path) ?? `${path}: ${message}`;
}
