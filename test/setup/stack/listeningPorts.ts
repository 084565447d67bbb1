import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** Returns the TCP ports on which these processes listen, by process id. Linux only. */
export function listeningPorts(pids: readonly number[]): Map<number, number[]> {
  const portByInode = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').trim().split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTEN) portByInode.set(inode, Number.parseInt(local.split(':')[1] ?? '', 16));
    }
  }
  return new Map(pids.map((pid) => [pid, inodesOf(pid).flatMap((inode) => portByInode.get(inode) ?? [])]));
}

function inodesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
