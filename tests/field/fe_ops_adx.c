/* The field body in x86-64 assembly. */
#include "fe_ops.h"

#ifdef FE_OPS_ADX
#define FE_P256_BODY_ADX
#define FE_OPS       fe_ops_adx
#define FE_OPS_LABEL "adx"
#include "fe_ops.inc"
#else
typedef int fe_ops_no_such_body;
#endif
