import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { actionToolName } from '../../domain/agent/toolNames.ts';
import { catalogue } from './choices.ts';
import { useMay } from './me.ts';

export interface CatalogueNames {
  /** `HTTP` of `http`; the id itself where the catalogue has no such app, or is not for this person. */
  appName: (appId: string) => string;
  /** `HTTP: Request` of `http.request`, an action or a trigger. */
  workName: (appId: string, id: string) => string;
  /** `HTTP: Request` of `http_request`, as models call it; of tools that are no actions the name itself. */
  toolName: (tool: string) => string;
}

/** What apps and their actions are called, for pages that know their ids; until it is read, the ids. */
export function useCatalogueNames(): CatalogueNames {
  const may = useMay();
  const { data } = useQuery({ ...catalogue(), enabled: may('workflows:read') });
  return useMemo(() => {
    const apps = new Map<string, string>();
    const work = new Map<string, string>();
    const tools = new Map<string, string>();
    for (const { appId, name, actions, triggers } of data ?? []) {
      apps.set(appId, name);
      for (const action of actions) {
        const said = `${name}: ${action.name}`;
        work.set(`${appId}.${action.actionId}`, said);
        tools.set(actionToolName({ appId, actionId: action.actionId }), said);
      }
      for (const trigger of triggers) work.set(`${appId}.${trigger.triggerId}`, `${name}: ${trigger.name}`);
    }
    return {
      appName: (appId) => apps.get(appId) ?? appId,
      workName: (appId, id) => work.get(`${appId}.${id}`) ?? `${appId}.${id}`,
      toolName: (tool) => tools.get(tool) ?? tool,
    };
  }, [data]);
}
