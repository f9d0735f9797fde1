/* The field body of 64-bit limbs. */
#include "fe_ops.h"

#ifdef FE_OPS_U64
#define FE_P256_BODY_U64
#define FE_OPS       fe_ops_u64
#define FE_OPS_LABEL "u64"
#include "fe_ops.inc"
#else
typedef int fe_ops_no_such_body;
#endif
