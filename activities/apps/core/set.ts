import { jsonObject, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

export const set = withInputs({ values: jsonObject }, ({ values }) => succeeded(values));
