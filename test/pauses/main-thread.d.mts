export function mainThreadMs(pid: number): number;
