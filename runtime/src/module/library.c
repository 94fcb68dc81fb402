// SPDX-License-Identifier: MIT
// library: importing from shared libraries. The file name and the name of the import function
// follow from the module's name.
#include <muster/runtime/module.h>

// "my.foo" -> "MyFoo" + "Import". The caller frees it.
static char *import_name(const char *module) {
    ecs_strbuf_t name = ECS_STRBUF_INIT;
    bool upper = true;
    for (; *module; module++) {
        if (*module == '.' || *module == '_') {
            upper = true;
            continue;
        }
        ecs_strbuf_appendch(&name,
            upper && *module >= 'a' && *module <= 'z' ? (char)(*module - 'a' + 'A') : *module);
        upper = false;
    }
    ecs_strbuf_appendstr(&name, "Import");
    return ecs_strbuf_get(&name);
}

static ecs_os_proc_t find_import(const char *library, const char *module) {
    char *path = ecs_os_module_to_dl(library);
    char *symbol = import_name(module);
    ecs_os_dl_t dl = path ? ecs_os_dlopen(path) : 0;
    ecs_os_proc_t import = dl ? ecs_os_dlproc(dl, symbol) : NULL;
    if (!dl) {
        ecs_err_code(ECS_OPERATION_FAILED, "cannot open library '%s' of module '%s'",
            path ? path : library, module);
    } else if (!import) {
        ecs_err_code(ECS_MISSING_SYMBOL, "library '%s' has no function '%s'", path, symbol);
        ecs_os_dlclose(dl);
    }
    ecs_os_free(path);
    ecs_os_free(symbol);
    return import;
}

ecs_entity_t ecs_import_from_library(
    ecs_world_t *world, const char *library_name, const char *module_name) {
    ecs_check(library_name, ECS_INVALID_PARAMETER, "the library has no name");
    if (!module_name) module_name = library_name;
    if (!ecs_os_has_dl() || !ecs_os_has_modules()) {
        ecs_err_code(ECS_MISSING_OS_API, "ecs_os_api has no functions for shared libraries");
        return 0;
    }
    ecs_os_proc_t import = find_import(library_name, module_name);
    return import ? ecs_import(world, (ecs_module_action_t)import, module_name) : 0;
error:
    return 0;
}
