import { spawnSync } from 'node:child_process';

/** Of a container: its user, and one group. */
export interface ContainerUser {
  user: number;
  group: number;
}

/** The image's own, and one that a platform gives (OpenShift): any number, unknown to the image, in the group 0. */
export const CONTAINER_USERS: readonly [ContainerUser, ContainerUser] = [
  { user: 1000, group: 1000 },
  { user: 1_000_730_000, group: 0 },
];

const isRoot = process.getuid?.() === 0;

/** Whether we may have file systems of our own: root may on Linux, but in most containers. */
export const CAN_CONFINE =
  isRoot && spawnSync('unshare', ['--mount', 'mount', '--options', 'remount,bind,ro', '/']).status === 0;

/**
 * As docker-compose.yml and the chart have it: the image at its place, all read-only, a /tmp of its own from which nothing is
 * executed. The process keeps its id through all of this.
 */
const CONFINED = [
  'set -e; image=$1; user=$2; group=$3; shift 3',
  'mount --bind "$image" /mnt; mount -t tmpfs -o mode=1777,noexec,nosuid,nodev,size=1g tmpfs /tmp',
  'mkdir -p "$image"; mount --bind /mnt "$image"; mount -o remount,bind,ro "$image"; umount /mnt',
  'mount -o remount,bind,ro /; cd "$image"',
  'exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"',
].join('\n');

/** What goes before a command, so that it runs as in a container; as that user alone where there is no more, and as we are where not even that. */
export function confined(image: string, { user, group }: ContainerUser): string[] {
  if (!isRoot) return [];
  const [id, groupId] = [String(user), String(group)];
  if (!CAN_CONFINE) return ['setpriv', `--reuid=${id}`, `--regid=${groupId}`, '--clear-groups'];
  return ['unshare', '--mount', 'sh', '-c', CONFINED, 'sh', image, id, groupId];
}
