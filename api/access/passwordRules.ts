import { strengthOf } from './passwordStrength.ts';

/** The minimum lengths of passwords, in characters; the contract asks for 8 from everybody. */
export interface PasswordLengths {
  PASSWORD_MIN_LENGTH: number;
  /** Of an owner of a workspace. */
  OWNER_PASSWORD_MIN_LENGTH: number;
}

/** Of zxcvbn's 0 to 4: guessed offline, from a slow hash, it holds. */
const MIN_SCORE = 3;
/** A shorter piece of a name is in every other password. */
const MIN_WORD_LENGTH = 3;

/** For whom a password is. */
export interface PasswordOwner {
  /** Of any workspace. */
  isOwner: boolean;
  /** Name, e-mail address and workspaces: what others know. */
  known: readonly string[];
}

/** What is wrong with a password and what would help; undefined where it may be used. Throws RATE_LIMITED where many are waiting. */
export async function passwordProblem(
  password: string,
  { isOwner, known }: PasswordOwner,
  lengths: PasswordLengths,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { PASSWORD_MIN_LENGTH: any, OWNER_PASSWORD_MIN_LENGTH: owners } = lengths;
  const least = isOwner ? Math.max(any, owners) : any;
  if ([...password].length < least) {
    return `expected at least ${least} characters${isOwner ? ', as an owner of a workspace has them' : ''}`;
  }
  if (known.some((text) => folded(text) === folded(password))) {
    return 'expected a password that is harder to guess. Others know this text: it is an address or a name';
  }
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, advice } = await strengthOf(
    password,
    words.filter(({ length }) => length >= MIN_WORD_LENGTH),
    signal,
  );
  if (score >= MIN_SCORE) return undefined;
  return `expected a password that is harder to guess.${advice === '' ? '' : ` ${advice}`}`;
}

/** Case, compatible forms of characters, and spaces around a text hide nothing. */
function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
