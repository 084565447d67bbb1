import { isAllowedPrivateUrl } from '../../../domain/app/privateHosts.ts';
import { type EventFilter, readEventFilter, shownEventFilter } from '../../../domain/event/eventFilter.ts';
import { isSigningSecret } from '../../../domain/event/signedMessage.ts';
import { placed } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { EVENTS_APP } from '../../../engine/events/eventSender.ts';
import type { Services } from '../../services.ts';

export interface Given {
  url?: string | undefined;
  events: readonly string[];
  filterBy: string | EventFilter | null | undefined;
  secret?: string | undefined;
}

export function checkSubscription(
  { config }: Pick<Services, 'config'>,
  workspaceId: string,
  { url, events, filterBy, secret }: Given,
): EventFilter {
  const errors: ProblemDetail[] = [];
  const wrongUrl = url === undefined ? undefined : urlProblem(url, config.HTTP_ALLOWED_PRIVATE_HOSTS, workspaceId);
  if (wrongUrl !== undefined) errors.push({ path: 'url', message: wrongUrl });
  const text = typeof filterBy === 'string' ? filterBy : (shownEventFilter(filterBy ?? {}) ?? '');
  const filter = readEventFilter(text, events);
  // If only the events change, the mistake is theirs.
  const place = typeof filterBy === 'string' ? 'filterBy' : 'events';
  const isWrong = 'problem' in filter;
  if (isWrong) errors.push({ path: place, message: String(filter.problem) });
  if (secret !== undefined && !isSigningSecret(secret)) {
    errors.push({ path: 'secret', message: 'expected whsec_ and 24 to 64 bytes in base64' });
  }
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
  return filter as EventFilter;
}

function urlProblem(text: string, allowedPrivateHosts: readonly string[], workspaceId: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return 'expected an https address';
  if (url.username !== '' || url.password !== '') return 'expected an address without a user and a password';
  if (url.hash !== '') return 'expected an address without a fragment';
  if (url.protocol === 'https:' || isAllowedPrivateUrl(allowedPrivateHosts, url, EVENTS_APP, workspaceId))
    return undefined;
  return 'expected https: plain http is allowed only for hosts in HTTP_ALLOWED_PRIVATE_HOSTS';
}
