import { closeSync, openSync, writeSync } from "node:fs";
import { fileError } from "./files.ts";

/** A log of JSON lines whose every line has been handed to the system when `add` returns. */
export class AppendLog {
  readonly #file: string;
  readonly #descriptor: number;

  private constructor(file: string, descriptor: number) {
    this.#file = file;
    this.#descriptor = descriptor;
  }

  /** Opens a file to append to, made when there is none. Throws FILE_MISSING, FILE_FORBIDDEN, FILE_FAILED. */
  static open(file: string): AppendLog {
    try {
      return new AppendLog(file, openSync(file, "a"));
    } catch (thrown) {
      throw fileError("write", file, thrown);
    }
  }

  /** Appends a value as one line of JSON. Throws DISK_FULL, FILE_FAILED. */
  add(value: unknown): void {
    try {
      writeSync(this.#descriptor, `${JSON.stringify(value)}\n`);
    } catch (thrown) {
      throw fileError("write", this.#file, thrown);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
