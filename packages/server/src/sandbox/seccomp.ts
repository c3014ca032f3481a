import type { CallTable } from "./denied-calls.ts";

/** Instruction of classic BPF, as `struct sock_filter` (linux/filter.h). */
interface Instruction {
  readonly code: number;
  /** Number of instructions to skip when the comparison holds, and when it does not. */
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly operand: number;
}

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data` (linux/seccomp.h). Both architectures are little-endian. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT_LOW = 16;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const FAIL = 0x00050000;
const NOT_PERMITTED = 1;
const NOT_THERE = 38;
const CLONE_NEWUSER = 0x10000000;
const INSTRUCTION_BYTES = 8;

/**
 * Assembles a filter of system calls for the kernel. Denied calls fail with EPERM, including a `clone` that
 * asks for a user namespace. `clone3` fails with ENOSYS, because filters cannot see its flags, and libraries
 * then fall back to `clone`. A program of another architecture is killed.
 */
export function assembleFilter(table: CallTable): Uint8Array {
  return encode([
    load(ARCHITECTURE),
    ...unlessEqual(table.auditArchitecture, give(KILL_PROCESS)),
    load(CALL_NUMBER),
    ...(table.foreignFrom === undefined
      ? []
      : when(JUMP_IF_AT_LEAST, table.foreignFrom, give(FAIL | NOT_THERE))),
    ...when(JUMP_IF_EQUAL, table.clone3, give(FAIL | NOT_THERE)),
    ...Object.values(table.denied).flatMap((call) => when(JUMP_IF_EQUAL, call, give(FAIL | NOT_PERMITTED))),
    ...unlessEqual(table.clone, give(ALLOW)),
    load(FIRST_ARGUMENT_LOW),
    ...when(JUMP_IF_ANY_BIT, CLONE_NEWUSER, give(FAIL | NOT_PERMITTED)),
    give(ALLOW),
  ]);
}

function load(offset: number): Instruction {
  return { code: LOAD_WORD, ifTrue: 0, ifFalse: 0, operand: offset };
}

function give(verdict: number): Instruction {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, operand: verdict };
}

function when(code: number, operand: number, then: Instruction): readonly Instruction[] {
  return [{ code, ifTrue: 0, ifFalse: 1, operand }, then];
}

function unlessEqual(operand: number, then: Instruction): readonly Instruction[] {
  return [{ code: JUMP_IF_EQUAL, ifTrue: 1, ifFalse: 0, operand }, then];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * INSTRUCTION_BYTES));
  for (const [index, { code, ifTrue, ifFalse, operand }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, operand >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}
