"""Addresses of the lending API."""

from django.urls import path

from loans import api, calendar_api, members_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("members/", members_api.Members.as_view(), name="members"),
    path("members/<int:pk>/", members_api.OneMember.as_view(), name="member"),
    path("members/<int:pk>/memberships/", members_api.Sales.as_view(), name="memberships"),
    path("members/<int:pk>/blocks/", members_api.Blocks.as_view(), name="blocks"),
    path("blocks/<int:pk>/lift/", members_api.Lift.as_view(), name="block-lift"),
    path("policies/", members_api.Policies.as_view(), name="policies"),
    path("policies/<int:pk>/", members_api.OnePolicy.as_view(), name="policy"),
    path("policies/decided/", members_api.Decisions.as_view(), name="policies-decided"),
    path("calendar/days/", calendar_api.Days.as_view(), name="calendar-days"),
    path("calendar/openings/", calendar_api.Openings.as_view(), name="calendar-openings"),
    path("calendar/openings/<int:pk>/", calendar_api.OneOpening.as_view(), name="calendar-opening"),
    path("calendar/closures/", calendar_api.Closures.as_view(), name="calendar-closures"),
    path("calendar/closures/<int:pk>/", calendar_api.OneClosure.as_view(), name="calendar-closure"),
]
