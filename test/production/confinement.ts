import { spawnSync } from 'node:child_process';

/** A container's user with its one group. */
export interface ContainerUser {
  user: number;
  group: number;
}

/** The image's user, and one that a platform assigns (OpenShift): any number, unknown to the image, in group 0. */
export const CONTAINER_USERS: readonly [ContainerUser, ContainerUser] = [
  { user: 1000, group: 1000 },
  { user: 1_000_730_000, group: 0 },
];

const isRoot = process.getuid?.() === 0;

/** Whether mounts are possible here: on Linux root may, but not in most containers. */
export const CAN_CONFINE =
  isRoot && spawnSync('unshare', ['--mount', 'mount', '--options', 'remount,bind,ro', '/']).status === 0;

/**
 * As in docker-compose.yml and the chart: a read-only image, and a /tmp that forbids execution. The pid stays the same.
 */
const CONFINED = [
  'set -e; image=$1; user=$2; group=$3; shift 3',
  'mount --bind "$image" /mnt; mount -t tmpfs -o mode=1777,noexec,nosuid,nodev,size=1g tmpfs /tmp',
  'mkdir -p "$image"; mount --bind /mnt "$image"; mount -o remount,bind,ro "$image"; umount /mnt',
  'mount -o remount,bind,ro /; cd "$image"',
  'exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"',
].join('\n');

/** Prefix of a command that confines it like a container or, if that is impossible, only changes its user. */
export function confined(image: string, { user, group }: ContainerUser): string[] {
  if (!isRoot) return [];
  const [id, groupId] = [String(user), String(group)];
  if (!CAN_CONFINE) return ['setpriv', `--reuid=${id}`, `--regid=${groupId}`, '--clear-groups'];
  return ['unshare', '--mount', 'sh', '-c', CONFINED, 'sh', image, id, groupId];
}
