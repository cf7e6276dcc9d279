"""Addresses of members, households, and what the library allows; included by `loans.urls`."""

from django.urls import path

from loans import household_views, label_views, member_views, policy_views

urlpatterns = [
    path("members/", member_views.listing, name="members"),
    path("members/add/", member_views.add, name="member-add"),
    path("members/cards/", label_views.cards, name="member-cards"),
    path("members/<int:pk>/", member_views.member, name="member"),
    path("members/<int:pk>/edit/", member_views.edit, name="member-edit"),
    path("members/<int:pk>/delete/", member_views.delete, name="member-delete"),
    path("members/<int:pk>/sell/<int:kind>/", member_views.sell, name="membership-sell"),
    path("members/<int:pk>/sign/", member_views.sign, name="member-sign"),
    path("members/<int:pk>/block/", member_views.block, name="member-block"),
    path("members/blocks/<int:pk>/lift/", member_views.lift, name="block-lift"),
    path("members/sales/<int:pk>/take-back/", member_views.take_back, name="membership-take-back"),
    path("households/", household_views.listing, name="households"),
    path("households/add/", household_views.add, name="household-add"),
    path("households/<int:pk>/", household_views.household, name="household"),
    path("households/<int:pk>/edit/", household_views.edit, name="household-edit"),
    path("households/<int:pk>/join/", household_views.join, name="household-join"),
    path("households/<int:pk>/leave/", household_views.leave, name="household-leave"),
    path("households/<int:pk>/delete/", household_views.delete, name="household-delete"),
    path("policies/", policy_views.table, name="policies"),
    path("policies/add/<str:rule>/", policy_views.add, name="policy-add"),
    path("policies/<int:pk>/", policy_views.edit, name="policy-edit"),
    path("policies/<int:pk>/delete/", policy_views.delete, name="policy-delete"),
    path("policies/memberships/", policy_views.kinds, name="membership-kinds"),
    path("policies/memberships/add/", policy_views.kind, name="membership-kind-add"),
    path("policies/memberships/<int:pk>/", policy_views.kind, name="membership-kind"),
    path("policies/memberships/<int:pk>/delete/", policy_views.delete_kind, name="membership-kind-delete"),
    path("policies/categories/", policy_views.categories, name="member-categories"),
    path("policies/categories/<int:pk>/", policy_views.rename_category, name="member-category"),
    path("policies/categories/<int:pk>/delete/", policy_views.delete_category, name="member-category-delete"),
]
