import { expect, test } from '@jest/globals';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import { askedUsage, readAdminCommand } from './adminArguments.ts';

const workspace = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
const words = (line: string) => line.split(' ').filter((word) => word !== '');

test('parses a command with its options', () => {
  expect(
    readAdminCommand(
      words(
        `api-key create --workspace ${workspace} --name ci --permissions projects:read,agents:use
 --expires 2027-01-31T00:00:00Z`.replace('\n', ''),
      ),
    ),
  ).toEqual({
    name: 'api-key create',
    options: {
      workspace,
      name: 'ci',
      permissions: ['projects:read', 'agents:use'],
      expires: new Date('2027-01-31T00:00:00Z'),
    },
  });
});

const expiring = (time: string) =>
  readAdminCommand(
    words(`api-key create --workspace ${workspace} --name ci --permissions agents:use --expires ${time}`),
  );

test('accepts the times that the API accepts, and no others', () => {
  expect(expiring('2027-01-31T00:00+01:00').options).toMatchObject({ expires: new Date('2027-01-30T23:00:00Z') });
  expect(expiring('2027-01-31').options).toMatchObject({ expires: new Date('2027-01-31T00:00:00Z') });
  expect(() => expiring('9999-12-31T23:59:59-10:00')).toThrow(/--expires: expected an ISO 8601 time/);
  expect(() => expiring('2027-02-31T00:00:00Z')).toThrow(/--expires: expected an ISO 8601 time/);
});

test('unknown permissions are listed, with the valid ones', () => {
  const read = () =>
    readAdminCommand(words(`api-key create --workspace ${workspace} --name ci --permissions projects:read,nope,all`));
  expect(read).toThrow(/unknown: nope, all; valid are projects:read, /);
  expect(read).toThrow(PERMISSIONS.join(', '));
});

test('the error lists all mistakes at once', () => {
  const read = () => readAdminCommand(words('user create --workspace x --email a@b.c --role boss --password short'));
  expect(read).toThrow(/--workspace: expected a UUID/);
  expect(read).toThrow(/--name: required/);
  expect(read).toThrow(/--role: expected one of owner, builder, operator, viewer, consumer/);
  expect(read).toThrow(/--password: expected at least 8 characters/);
});

test.each([
  ['', /no command/],
  ['workspace destroy --name x', /unknown command: workspace destroy/],
  ['workspace create --name x --email a@b.c --force', /Unknown option '--force'/],
  ['api-key create --workspace 1 --name x --permissions , --expires tomorrow', /--expires: expected an ISO 8601 time/],
])('`%s` is refused', (line, message) => {
  expect(() => readAdminCommand(words(line))).toThrow(message);
});

test.each(['--help', '-h', 'help', 'doctor --help', 'api-key create -h'])('%s prints the usage', (line) => {
  expect(askedUsage(words(line))).toMatch(/^usage: npm run admin -- <command>/);
});

test('a value of an option is no request for help', () => {
  expect(askedUsage(words('user reset-2fa --email help@example.com'))).toBeUndefined();
});

test.each(['0', '100001', '1.5', 'many'])('--limit %s is refused with the allowed numbers', (limit) => {
  expect(() => readAdminCommand(['replay', '--limit', limit])).toThrow(
    '--limit: expected a whole number from 1 to 100000',
  );
});
