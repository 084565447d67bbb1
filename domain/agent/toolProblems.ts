import { inputValueProblem } from '../app/inputValue.ts';
import { type Catalogue, findAction } from '../app/manifest.ts';
import { unknownKey } from '../fieldType.ts';
import type { Json } from '../json.ts';
import { inPath, pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { GivenSettings } from './definition.ts';

export function toolProblems(catalogue: Catalogue, { tools = [] }: GivenSettings): ProblemDetail[] {
  const seen = new Set<string>();
  return tools.flatMap(({ appId, actionId, inputs = {} }, index): ProblemDetail[] => {
    const place = pathTo('tools', index);
    const app = catalogue.get(appId);
    if (!app) return [{ path: inPath(place, 'appId'), message: `there is no app ${JSON.stringify(appId)}` }];
    const action = findAction(catalogue, appId, actionId);
    if (!action) {
      const known = app.actions.map((each) => each.actionId).join(', ');
      return [{ path: inPath(place, 'actionId'), message: `${JSON.stringify(actionId)} is not one of ${known}` }];
    }
    const id = `${appId}.${actionId}`;
    if (seen.has(id)) return [{ path: place, message: `${id} is listed twice` }];
    seen.add(id);
    const fields = new Map(action.inputConfig.fields.map((field) => [field.key, field]));
    return Object.entries(inputs).flatMap(([key, value]): ProblemDetail[] => {
      const field = fields.get(key);
      const wrong = field
        ? inputValueProblem(action.inputConfig, field, value as Json)
        : unknownKey([...fields.keys()]);
      return wrong === undefined ? [] : [{ path: pathTo(inPath(place, 'inputs'), key), message: wrong }];
    });
  });
}
